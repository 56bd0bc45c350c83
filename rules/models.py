"""Rules text, formats, status lists and tournament policies, each by date. Nothing here is ever "active" by a flag."""

from __future__ import annotations

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateRangeField, RangeOperators
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import Deferrable, F

from cards.models import Card, Game


class RulesDocument(models.Model):
    """One version of one rules text, restated in our own words. ``during`` is half-open; unknown dates are said so."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="documents")
    slug = models.SlugField(max_length=60)
    version = models.CharField(max_length=20)
    prefix = models.CharField(max_length=20, help_text='How it is cited: "EPIC" in "EPIC 5.3".')
    title = models.CharField(max_length=160)
    during = DateRangeField()
    date_note = models.CharField(max_length=200, blank=True, help_text='What is known of its date: "date unknown".')
    source = models.CharField(max_length=300)
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["game", "slug", "version"]
        constraints = [
            models.UniqueConstraint(fields=["game", "slug", "version"], name="one_document_per_version"),
            ExclusionConstraint(
                name="one_document_version_at_a_time",
                expressions=[
                    (F("game"), RangeOperators.EQUAL),
                    (F("slug"), RangeOperators.EQUAL),
                    (F("during"), RangeOperators.OVERLAPS),
                ],
                deferrable=Deferrable.IMMEDIATE,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title} ({self.version})"


class Section(models.Model):
    """A numbered rule. ``is_reading`` marks our interpretation where the source is silent."""

    document = models.ForeignKey(RulesDocument, models.CASCADE, related_name="sections")
    number = models.CharField(max_length=20)
    heading = models.CharField(max_length=200)
    body = models.TextField()
    order = models.PositiveIntegerField()
    covers = models.JSONField(default=list)
    cards = models.ManyToManyField(Card, related_name="sections", blank=True)
    card_names = models.TextField(blank=True, help_text="Names of the cards it speaks of, for the search index.")
    is_reading = models.BooleanField(default=False)
    search = models.GeneratedField(
        expression=SearchVector("number", weight="A", config="simple")
        + SearchVector("heading", weight="A", config="english")
        + SearchVector("card_names", weight="A", config="simple")
        + SearchVector("body", weight="C", config="english"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        ordering = ["document", "order"]
        constraints = [models.UniqueConstraint(fields=["document", "number"], name="one_section_per_number")]
        indexes = [GinIndex(fields=["search"], name="section_search")]

    def __str__(self) -> str:
        return f"{self.number} {self.heading}"


class Format(models.Model):
    game = models.ForeignKey(Game, models.CASCADE, related_name="formats")
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=120)

    class Meta:
        ordering = ["game", "name"]
        constraints = [models.UniqueConstraint(fields=["game", "slug"], name="one_format_per_slug")]

    def __str__(self) -> str:
        return self.name


class FormatVersion(models.Model):
    """What a legal deck is, from one day to another. ``definition`` is a ``rules.engine.schema.FormatDefinition``."""

    format = models.ForeignKey(Format, models.CASCADE, related_name="versions")
    version = models.CharField(max_length=20)
    during = DateRangeField()
    document = models.ForeignKey(RulesDocument, models.PROTECT, related_name="+")
    definition = models.JSONField()
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["format", "version"], name="one_format_version"),
            ExclusionConstraint(
                name="one_format_version_at_a_time",
                expressions=[(F("format"), RangeOperators.EQUAL), (F("during"), RangeOperators.OVERLAPS)],
                deferrable=Deferrable.IMMEDIATE,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.format} {self.version}"


class StatusEntry(models.Model):
    """A card on a banned or restricted list of one format. One card has one status on one day."""

    class Status(models.TextChoices):
        BANNED = "banned", "banned"
        RESTRICTED = "restricted", "restricted"

    format = models.ForeignKey(Format, models.CASCADE, related_name="status_entries")
    card = models.ForeignKey(Card, models.CASCADE, related_name="status_entries")
    status = models.CharField(max_length=12, choices=Status)
    max_copies = models.PositiveSmallIntegerField(help_text="0 for banned.")
    during = DateRangeField()
    announced_on = models.DateField(null=True, blank=True)
    source = models.CharField(max_length=300)
    section = models.CharField(max_length=20, help_text="The section that says so.")

    class Meta:
        constraints = [
            ExclusionConstraint(
                name="one_status_at_a_time",
                expressions=[
                    (F("format"), RangeOperators.EQUAL),
                    (F("card"), RangeOperators.EQUAL),
                    (F("during"), RangeOperators.OVERLAPS),
                ],
                deferrable=Deferrable.IMMEDIATE,
            ),
            models.CheckConstraint(
                condition=models.Q(status="banned", max_copies=0) | models.Q(status="restricted", max_copies__gte=1),
                name="banned_means_none",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.card}: {self.status} in {self.format}"


class Policy(models.Model):
    """How an event of some kind is run. ``definition`` is a ``rules.engine.schema.PolicyDefinition``."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="policies")
    slug = models.SlugField(max_length=60)
    version = models.CharField(max_length=20)
    name = models.CharField(max_length=120)
    format = models.ForeignKey(Format, models.PROTECT, related_name="policies")
    during = DateRangeField()
    definition = models.JSONField()
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["game", "name"]
        constraints = [
            models.UniqueConstraint(fields=["game", "slug", "version"], name="one_policy_version"),
            ExclusionConstraint(
                name="one_policy_version_at_a_time",
                expressions=[
                    (F("game"), RangeOperators.EQUAL),
                    (F("slug"), RangeOperators.EQUAL),
                    (F("during"), RangeOperators.OVERLAPS),
                ],
                deferrable=Deferrable.IMMEDIATE,
            ),
        ]

    def __str__(self) -> str:
        return self.name
