"""Queries whose SQL is written once.

Django writes the SQL of a query anew, in Python, each time it is asked, and PostgreSQL plans it anew. On a page with
twenty small queries that is more than half of the time. What many ask at once is prepared::

    @prepared
    def _seats(match: int) -> QuerySet[Seat]:
        return Seat.objects.filter(match=match).order_by("index")

    _seats(match.pk)  # a list of seats, as from the queryset

An argument stands in the SQL as it is: it may be compared with a column, and no SQL may depend on it. So it is an int
or a str and never None, and no branch may look at it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model, QuerySet
from django.db.models.sql import Query
from django.db.models.sql.compiler import SQLCompiler

P = ParamSpec("P")
Row = TypeVar("Row")

# Two of a kind for every argument: what is the one in a first compilation and the other in a second is the argument.
# Whole numbers that the smallest column holds, and that nobody would write into a query.
NUMBERS = (20_000, 30_000)
TEXTS = ("\ue000{}", "\ue001{}")


@dataclass(frozen=True)
class _Plan:
    """A compiled query; ``places`` are those of the arguments in ``parameters``, and ``converters`` make what the
    database says into what the fields hold."""

    queryset: QuerySet[Any]
    compiler: SQLCompiler
    sql: str
    parameters: tuple[Any, ...]
    places: Sequence[tuple[int, int]]
    converters: Any


class Prepared(Generic[P, Row]):
    """What ``prepared`` makes of a function: the same, but the rows as a list. 1 query."""

    def __init__(self, build: Callable[P, Any]) -> None:
        self.build = build
        self.signature = inspect.signature(build)
        self.plan: _Plan | None = None
        update_wrapper(self, build)
        wrong = [name for name, one in self.signature.parameters.items() if one.annotation not in ("int", "str")]
        if wrong:
            raise TypeError(f"An argument of a prepared query is an int or a str: {', '.join(wrong)}")

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> list[Row]:
        plan = self.plan
        if plan is None:
            plan = self.plan = self._compile()
        values = tuple(self.signature.bind(*args, **kwargs).arguments.values()) if kwargs else args
        parameters = list(plan.parameters)
        for place, number in plan.places:
            parameters[place] = values[number]
        return _run(plan, tuple(parameters))

    def first(self, *args: P.args, **kwargs: P.kwargs) -> Row | None:
        """The first of the rows, for a query that has at most one or is sliced."""
        return next(iter(self(*args, **kwargs)), None)

    def _compile(self) -> _Plan:
        (queryset, compiler, sql, parameters), (*_, other_sql, other) = self._attempt(0), self._attempt(1)
        ours, theirs = self._markers(0), self._markers(1)
        places = []
        for place, (one, two) in enumerate(zip(parameters, other, strict=True)):
            if one == two and type(one) is type(two):
                continue
            number = next((n for n, pair in enumerate(zip(ours, theirs, strict=True)) if pair == (one, two)), None)
            if number is None:
                raise TypeError(f"{self.build.__qualname__} changes an argument on the way: {one!r}")
            places.append((place, number))
        unused = set(range(len(ours))) - {number for _, number in places}
        if sql != other_sql or unused:
            raise TypeError(f"The SQL of {self.build.__qualname__} depends on an argument")
        converters = compiler.get_converters([column for column, *_ in compiler.select[: compiler.col_count]])
        return _Plan(queryset, compiler, sql, parameters, places, converters)

    def _markers(self, turn: int) -> list[int | str]:
        kinds = [one.annotation for one in self.signature.parameters.values()]
        return [NUMBERS[turn] + n if kind == "int" else TEXTS[turn].format(n) for n, kind in enumerate(kinds)]

    def _attempt(self, turn: int) -> tuple[QuerySet[Any], SQLCompiler, str, tuple[Any, ...]]:
        build: Callable[..., QuerySet[Any]] = self.build
        queryset = build(*self._markers(turn))
        compiler = queryset.query.get_compiler(using=DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        return queryset, compiler, sql, tuple(parameters)


def _run(plan: _Plan, parameters: tuple[Any, ...]) -> list[Any]:
    """As ``list(queryset)``, with a compiler that has the rows."""
    connection = connections[DEFAULT_DB_ALIAS]
    connection.ensure_connection()
    # The database binds the parameters, so that it knows the query again and plans it once for a connection.
    with connection._prepare_cursor(psycopg.Cursor(connection.connection)) as cursor:  # type: ignore[attr-defined]
        cursor.execute(plan.sql, parameters)
        found = cursor.fetchall()
    compiler = copy(plan.compiler)
    compiler.connection = connection
    compiler.execute_sql = lambda *args, **kwargs: [found]  # type: ignore[method-assign,assignment]
    compiler.get_converters = lambda expressions: plan.converters  # type: ignore[method-assign]
    query: Query = copy(plan.queryset.query)
    query.get_compiler = lambda *args, **kwargs: compiler  # type: ignore[method-assign]
    rows: QuerySet[Any] = QuerySet(plan.queryset.model, query, using=DEFAULT_DB_ALIAS)
    rows._iterable_class = plan.queryset._iterable_class
    rows._prefetch_related_lookups = plan.queryset._prefetch_related_lookups  # type: ignore[attr-defined]
    return list(rows)


def prepared(build: Callable[P, QuerySet[Any, Row]]) -> Prepared[P, Row]:
    """Have the SQL of a queryset written once. TypeError, at the first call: it depends on an argument."""
    return Prepared(build)


def hand_over(owner: Model, name: str, rows: Iterable[Any]) -> None:
    """Let ``owner.<name>.all()`` answer with rows that were read elsewhere, as prefetch_related would."""
    manager = getattr(owner, name)
    known = manager.get_queryset()  # filtered, as whoever narrows it down expects
    known._result_cache = list(rows)
    known._prefetch_done = True
    owner.__dict__.setdefault("_prefetched_objects_cache", {})[name] = known
