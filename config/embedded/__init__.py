"""PostgreSQL and Valkey out of wheels, for a machine that has neither.

Used only while DATABASE_URL and REDIS_URL are unset. Standard library only: it runs before Django is configured.
The wheels' own Python helpers are never imported: as root one of them adds a system user and opens every folder above
the data to everybody. Nothing listens on a port: both servers use Unix sockets in a folder of their owner's alone.
"""
