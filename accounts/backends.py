"""Who is signed in: the look at the account is prepared, because every page of a hall begins with it."""

from __future__ import annotations

from django.contrib.auth.backends import ModelBackend
from django.db.models import QuerySet

from accounts.models import User
from config.prepared import prepared


@prepared
def _account(user: int) -> QuerySet[User]:
    return User.objects.filter(pk=user)


class AccountBackend(ModelBackend):
    def get_user(self, user_id: int) -> User | None:
        """1 query. None for an account that is gone or closed."""
        user = _account.first(user_id)
        return user if user is not None and self.user_can_authenticate(user) else None
