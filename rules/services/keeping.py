"""Keeps the rules of a moment, so that whatever is judged by them is judged by nothing that is published later."""

from __future__ import annotations

from datetime import date

from django.db import connection

from cards.models import Card, Game
from rules.engine.digests import digest_of
from rules.engine.keeping import kept_cards, kept_statuses
from rules.models import Format, KeptRules, StatusEntry
from rules.queries.facts import card_facts_for
from rules.queries.standing import status_fact


def hold_game(game: Game) -> None:
    """Let no publication, pack or import of cards change the game's rules until the caller's transaction ends.

    Waits for those that are under way; others may hold the game at the same time.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock_shared(hashtextextended(%s, 0))", [f"pack {game.slug}"])
        cursor.execute("SELECT 1 FROM cards_game WHERE id = %s FOR SHARE", [game.pk])


def keep_rules(*, format: Format, day: date) -> KeptRules:
    """The format's lists of the day and the facts of every card of the game, as they are now. The same is one row.

    Runs in the caller's transaction, who holds the game. Seven queries, one more where nothing like it is kept yet.
    """
    game = Game.objects.get(pk=format.game_id)  # read again: its pack may just have been loaded
    entries = StatusEntry.objects.filter(format=format, during__contains=day)
    statuses = kept_statuses(map(status_fact, entries))
    ids = list(Card.objects.filter(game=game).values_list("pk", flat=True))
    cards = kept_cards(card_facts_for(ids, day=day).values())
    digest = digest_of([format.pk, game.digest, statuses, cards])
    kept, _ = KeptRules.objects.get_or_create(
        digest=digest, defaults={"format": format, "pack": game.digest, "statuses": statuses, "cards": cards}
    )
    return kept
