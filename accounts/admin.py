from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.forms import ModelForm
from django.http import HttpRequest

from accounts import services
from accounts.models import User

if TYPE_CHECKING:
    Base = admin.ModelAdmin[User]
else:
    Base = admin.ModelAdmin


@admin.register(User)
class UserAdmin(Base):
    list_display = ["display_name", "email", "is_active", "is_staff", "date_joined"]
    list_filter = ["is_active", "is_staff"]
    search_fields = ["display_name", "email"]
    fields = ["display_name", "email", "is_active", "is_staff", "is_superuser", "date_joined", "last_login"]
    readonly_fields = ["display_name", "email", "is_superuser", "date_joined", "last_login"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """People sign up, and choose their own password."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Results and decklists hang on a person: close the account instead."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return bool(request.user.is_superuser)

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm[User], change: bool) -> None:
        services.set_access(user=obj, is_active=obj.is_active, is_staff=obj.is_staff)
