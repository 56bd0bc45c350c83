"""A database for measuring, made before and destroyed after, so that what is stored elsewhere is never touched."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper

DATABASE = "tiltyard_bench"


@contextmanager
def scratch_database() -> Iterator[None]:
    """Work inside in a database with our tables and nothing in them. Progress on stderr.

    RuntimeError: it can't be made sure that the connection leads there.
    """
    tests, name = connection.settings_dict["TEST"], connection.settings_dict["NAME"]
    before, tests["NAME"] = tests["NAME"], DATABASE
    try:
        print("Making a database", file=sys.stderr)  # noqa: T201 - the numbers are on stdout
        _leave()
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT current_database()")
                if cursor.fetchone() != (DATABASE,):
                    raise RuntimeError("This is another database than the one just made: nothing is measured.")
            yield
        finally:
            _leave()
            connection.creation.destroy_test_db(name, verbosity=0)
    finally:
        tests["NAME"] = before


def _leave() -> None:
    """Connections that are pooled would go on to the database that they were made for."""
    wrapper = connections[DEFAULT_DB_ALIAS]
    wrapper.close()
    if isinstance(wrapper, DatabaseWrapper):
        wrapper.close_pool()
