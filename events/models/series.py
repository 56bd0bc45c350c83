"""Events that count together."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Series(models.Model):
    """A league: its owner adds events, and every finished one gives points by ``rules``, a
    ``events.engine.series.SeriesRules``."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    rules = models.JSONField()
    version = models.BigIntegerField(default=0, help_text="Grows by one with every change of name or points.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]
        verbose_name_plural = "series"

    def __str__(self) -> str:
        return self.name
