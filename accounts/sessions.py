"""Sessions in the database, as Django keeps them; the look at one is prepared, because every page of a hall begins with
it."""

from __future__ import annotations

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.db.models.functions import Now

from config.prepared import prepared


@prepared
def _alive(key: str) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=Now())


class SessionStore(db.SessionStore):
    def _get_session_from_db(self) -> Session | None:
        found = _alive.first(self.session_key) if self.session_key is not None else None
        if found is None:
            self._session_key = None
        return found
