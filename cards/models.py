"""Games and their cards. A card is a rules identity; printings, faces and aliases are other ways to name it."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateRangeField, RangeOperators
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models import F


class OrderedObject(models.JSONField):
    """A JSON object whose keys keep their order, which jsonb sorts: it is stored as a list of pairs.

    An object that was stored as one is read as it is.
    """

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        found = super().from_db_value(value, expression, connection)
        return dict(found) if isinstance(found, list) else found

    def get_prep_value(self, value: Any) -> Any:
        return [list(pair) for pair in value.items()] if isinstance(value, dict) else super().get_prep_value(value)

    def deconstruct(self) -> Any:
        """The column is that of a JSONField, so migrations have nothing to do."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.JSONField", args, kwargs


class Game(models.Model):
    """A game, as its pack describes it. ``facts``, ``zones`` and ``glossary`` are those of game.toml."""

    slug = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=100)
    facts = OrderedObject(default=dict)
    zones = models.JSONField(default=list)
    glossary = models.JSONField(default=dict)
    synonyms = models.JSONField(default=dict)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the pack that was loaded last.")

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class CardSet(models.Model):
    """A release. ``released_on`` is the day it could be bought, ``legal_on`` the day it could be played."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="sets")
    code = models.CharField(max_length=20)
    name = models.CharField(max_length=120)
    released_on = models.DateField(null=True, blank=True)
    legal_on = models.DateField(null=True, blank=True)
    is_sample = models.BooleanField(default=False, help_text="Made up to try Tiltyard with; not a publisher's data.")

    class Meta:
        ordering = ["game", "released_on", "code"]
        constraints = [models.UniqueConstraint(fields=["game", "code"], name="one_set_per_code")]

    def __str__(self) -> str:
        return self.name


class Card(models.Model):
    game = models.ForeignKey(Game, models.CASCADE, related_name="cards")
    slug = models.SlugField(max_length=140)
    name = models.CharField(max_length=140)
    text = models.TextField(blank=True)
    facts = models.JSONField(
        default=dict, help_text="Facts by key as game.toml declares them; a missing key is unknown."
    )
    is_sample = models.BooleanField(default=False)

    class Meta:
        ordering = ["game", "name"]
        constraints = [models.UniqueConstraint(fields=["game", "slug"], name="one_card_per_slug")]

    def __str__(self) -> str:
        return self.name


class CardName(models.Model):
    """Every spelling that means a card. ``key`` is ``cards.engine.names.name_key(text)``."""

    class Kind(models.TextChoices):
        CANONICAL = "canonical", "printed name"
        ALIAS = "alias", "alias"
        FACE = "face", "face"
        FORMER = "former", "former name"

    game = models.ForeignKey(Game, models.CASCADE, related_name="+")
    card = models.ForeignKey(Card, models.CASCADE, related_name="names")
    text = models.CharField(max_length=140)
    key = models.CharField(max_length=140)
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.CANONICAL)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "key"], name="a_name_means_one_card")]
        indexes = [GinIndex(OpClass(F("key"), name="gin_trgm_ops"), name="card_name_trigram")]

    def __str__(self) -> str:
        return self.text


class Printing(models.Model):
    card = models.ForeignKey(Card, models.CASCADE, related_name="printings")
    card_set = models.ForeignKey(CardSet, models.CASCADE, related_name="printings")
    number = models.CharField(max_length=20)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["card_set", "number"], name="one_printing_per_number")]

    def __str__(self) -> str:
        return f"{self.card} ({self.card_set.code} {self.number})"


class CardTag(models.Model):
    """A published, changing membership such as Epic's gift cards. The range is half-open; no lower bound = always."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="tags")
    card = models.ForeignKey(Card, models.CASCADE, related_name="tags")
    tag = models.SlugField(max_length=40)
    during = DateRangeField()
    source = models.CharField(max_length=300)
    announced_on = models.DateField(null=True, blank=True)

    class Meta:
        constraints = [
            ExclusionConstraint(
                name="a_tag_once_at_a_time",
                expressions=[
                    (F("card"), RangeOperators.EQUAL),
                    (F("tag"), RangeOperators.EQUAL),
                    (F("during"), RangeOperators.OVERLAPS),
                ],
            )
        ]

    def __str__(self) -> str:
        return f"{self.card}: {self.tag}"


class Erratum(models.Model):
    """Facts or text of a card that a publisher changed, for all its printings, from one day on."""

    card = models.ForeignKey(Card, models.CASCADE, related_name="errata")
    starts_on = models.DateField()
    facts = models.JSONField(default=dict, help_text="Only the facts that changed.")
    text = models.TextField(blank=True, help_text="The new text; blank where the text stays.")
    source = models.CharField(max_length=300)
    announced_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["card", "starts_on"]
        verbose_name_plural = "errata"
        constraints = [models.UniqueConstraint(fields=["card", "starts_on"], name="one_erratum_a_day")]

    def __str__(self) -> str:
        return f"{self.card} from {self.starts_on}"


class Product(models.Model):
    """What is opened: a booster's variants, slots and sheets. Immutable; a changed definition is a new version."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="products")
    slug = models.SlugField(max_length=60)
    version = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(max_length=120)
    definition = models.JSONField()
    digest = models.CharField(max_length=64)
    is_sample = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "slug", "version"], name="one_product_per_version")]

    def __str__(self) -> str:
        return self.name
