"""Rules text, formats, status lists and tournament policies, each by date. Nothing here is ever "active" by a flag."""

from __future__ import annotations

from django.conf import settings
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
    """A card on a list of one format. On one day it has at most one number of copies in a zone, and one of points."""

    class Status(models.TextChoices):
        BANNED = "banned", "banned"
        RESTRICTED = "restricted", "restricted"
        LIMIT = "limit", "own limit of copies"
        POINTS = "points", "on the points list"

    format = models.ForeignKey(Format, models.CASCADE, related_name="status_entries")
    card = models.ForeignKey(Card, models.CASCADE, related_name="status_entries")
    status = models.CharField(max_length=12, choices=Status)
    max_copies = models.PositiveSmallIntegerField(null=True, blank=True, help_text="0 for banned; none for points.")
    points = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Only for points.")
    zone = models.CharField(max_length=40, blank=True, help_text="The only zone that it speaks of; blank for all.")
    during = DateRangeField()
    announced_on = models.DateField(null=True, blank=True)
    source = models.CharField(max_length=300)
    section = models.CharField(max_length=20, help_text="The section that says so.")
    counts_points = models.GeneratedField(
        expression=models.Case(models.When(status="points", then=models.Value(1)), default=models.Value(0)),
        output_field=models.SmallIntegerField(),
        db_persist=True,
    )

    class Meta:
        constraints = [
            ExclusionConstraint(
                name="one_status_at_a_time",
                expressions=[
                    (F("format"), RangeOperators.EQUAL),
                    (F("card"), RangeOperators.EQUAL),
                    (F("zone"), RangeOperators.EQUAL),
                    (F("counts_points"), RangeOperators.EQUAL),
                    (F("during"), RangeOperators.OVERLAPS),
                ],
                deferrable=Deferrable.IMMEDIATE,
            ),
            models.CheckConstraint(
                condition=models.Q(status="banned", max_copies=0, points=None)
                | models.Q(status__in=["restricted", "limit"], max_copies__gte=1, points=None)
                | models.Q(status="points", max_copies=None, points__gte=1),
                name="a_status_has_its_number",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.card}: {self.status} in {self.format}"


class GameOrganiser(models.Model):
    """Somebody who may publish for a game: its lists, its formats, its cards."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="organisers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="organises_games")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="one_organiser_role_per_game")]

    def __str__(self) -> str:
        return f"{self.user} for {self.game}"


class Publication(models.Model):
    """Changed lists or a new format version, as they were published; what the pack says is amended by them in order.

    ``payload`` is a ``rules.engine.publication.PublicationFile``, ``summary`` what it came to.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="publications")
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    published_at = models.DateTimeField(auto_now_add=True)
    title = models.CharField(max_length=160)
    effective_on = models.DateField()
    payload = models.JSONField()
    summary = models.JSONField(default=dict)
    digest = models.CharField(max_length=64, unique=True, help_text="Of game and payload: nothing is published twice.")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.title


class KeptRules(models.Model):
    """What decklists of a format are judged by once no later publication, pack or import may change their verdicts.

    ``statuses`` are the format's lists of a day and ``cards`` what was known of every card of the game, both as
    ``rules.engine.keeping`` writes them. What is the same is one row, whatever the day.
    """

    format = models.ForeignKey(Format, models.PROTECT, related_name="+")
    pack = models.CharField(max_length=64, help_text="Digest of the pack that was loaded then.")
    statuses = models.JSONField()
    cards = models.JSONField()
    digest = models.CharField(max_length=64, unique=True)
    kept_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "kept rules"

    def __str__(self) -> str:
        return f"{self.format}, {self.digest[:12]}"


class Ruling(models.Model):
    """An answered question about a game's rules. ``citations`` are sections, such as "ENGARDE 2.6"."""

    class Kind(models.TextChoices):
        RULING = "ruling", "ruling"
        REMINDER = "reminder", "reminder"

    class Status(models.TextChoices):
        PUBLISHED = "published", "published"
        SUPERSEDED = "superseded", "superseded"
        WITHDRAWN = "withdrawn", "withdrawn"

    game = models.ForeignKey(Game, models.CASCADE, related_name="rulings")
    number = models.CharField(max_length=20)
    question = models.TextField()
    answer = models.TextField()
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.RULING)
    status = models.CharField(max_length=12, choices=Status, default=Status.PUBLISHED)
    authority = models.CharField(max_length=160)
    source = models.CharField(max_length=300)
    during = DateRangeField()
    date_note = models.CharField(max_length=200, blank=True)
    citations = models.JSONField(default=list)
    cards = models.ManyToManyField(Card, related_name="rulings", blank=True)

    class Meta:
        ordering = ["game", "pk"]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="one_ruling_per_number")]

    def __str__(self) -> str:
        return f"{self.number} {self.question}"


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
