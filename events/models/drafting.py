"""Pods, packs, picks and pools. A pack is never moved: who holds it is arithmetic over the picks."""

from __future__ import annotations

from django.db import models

from cards.models import Card, Product
from events.models.event import Event, Stage
from events.models.players import Player


class Pod(models.Model):
    event = models.ForeignKey(Event, models.CASCADE, related_name="pods")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="pods")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["stage_id", "number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="one_pod_per_number")]

    def __str__(self) -> str:
        return f"Pod {self.number}"


class PodSeat(models.Model):
    """Seats are numbered clockwise from 0: the player to the left of seat i sits on i + 1."""

    pod = models.ForeignKey(Pod, models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="pod_seats")

    class Meta:
        ordering = ["pod_id", "index"]
        constraints = [
            models.UniqueConstraint(fields=["pod", "index"], name="one_player_per_pod_seat"),
            models.UniqueConstraint(fields=["pod", "player"], name="one_seat_per_player_and_pod"),
        ]

    def __str__(self) -> str:
        return f"{self.pod}, seat {self.index + 1}"


class Pack(models.Model):
    """A booster that ``opened_by`` opened as number ``number`` of theirs: drafted from in a pod, or a sealed pool."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="packs")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="packs")
    pod = models.ForeignKey(Pod, models.CASCADE, null=True, blank=True, related_name="packs")
    opened_by = models.ForeignKey(Player, models.PROTECT, related_name="packs")
    number = models.PositiveSmallIntegerField()
    product = models.ForeignKey(Product, models.PROTECT, related_name="+")

    class Meta:
        ordering = ["stage_id", "number", "opened_by_id"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "opened_by", "number"], name="one_pack_per_player_and_number")
        ]

    def __str__(self) -> str:
        return f"Pack {self.number} of {self.opened_by}"


class PackCard(models.Model):
    """One physical card."""

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="cards")
    position = models.PositiveSmallIntegerField()
    card = models.ForeignKey(Card, models.PROTECT, related_name="+")

    class Meta:
        ordering = ["pack_id", "position"]
        constraints = [models.UniqueConstraint(fields=["pack", "position"], name="one_card_per_position")]

    def __str__(self) -> str:
        return str(self.card)


class Pick(models.Model):
    """Pick ``number`` (from 0) of a pack; ``seat`` is stored so that the arithmetic can be checked against it."""

    class Source(models.TextChoices):
        PLAYER = "player", "player"
        AUTOMATIC = "automatic", "automatic"

    pod = models.ForeignKey(Pod, models.CASCADE, related_name="picks")
    pack = models.ForeignKey(Pack, models.CASCADE, related_name="picks")
    number = models.PositiveSmallIntegerField()
    seat = models.ForeignKey(PodSeat, models.PROTECT, related_name="picks")
    pack_number = models.PositiveSmallIntegerField()
    pack_card = models.OneToOneField(PackCard, models.PROTECT, related_name="pick")
    source = models.CharField(max_length=10, choices=Source, default=Source.PLAYER)
    picked_at = models.DateTimeField()

    class Meta:
        ordering = ["pod_id", "pack_number", "number", "seat_id"]
        constraints = [
            models.UniqueConstraint(fields=["pack", "number"], name="one_pick_per_pack_and_number"),
            models.UniqueConstraint(fields=["seat", "pack_number", "number"], name="one_pick_per_seat_and_window"),
        ]

    def __str__(self) -> str:
        return f"{self.seat}: {self.pack_card}"


class PoolCard(models.Model):
    """How many of a card a player's decklist may use."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, models.CASCADE, related_name="pool")
    card = models.ForeignKey(Card, models.PROTECT, related_name="+")
    count = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["player_id", "card__name"]
        constraints = [models.UniqueConstraint(fields=["player", "card"], name="one_pool_row_per_card")]

    def __str__(self) -> str:
        return f"{self.count} {self.card}"
