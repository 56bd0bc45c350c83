"""Papers as they are drawn: values in, PDF out. What stands on them comes from ``events.queries.papers``."""
