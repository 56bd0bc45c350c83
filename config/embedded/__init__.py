"""PostgreSQL and Valkey out of wheels, for a machine that has neither."""
