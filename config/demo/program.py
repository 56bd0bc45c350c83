"""The four events, from registration to a winner, and three look-ups by a judge."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

from django.db.models import Max
from django.utils import timezone

from accounts.models import User
from cards.models import Card, Game
from config.demo.cast import Story, actor_of, players, staff_and_logins
from config.demo.deckbuilding import Zone, deck_text, designed_deck, engarde_deck, limited_deck, rotated_card
from config.demo.playing import Table, drop_somebody, play_round
from config.errors import DomainError
from decks.models import Decklist
from events.models import Event, Player, Pod, PoolCard, StaffRole, Stage, Standing
from events.queries.drafting import draft_of
from events.services import drafts, registration, setup, stages, submission
from events.services.transaction import Actor
from rules.models import Policy
from rules.queries import search_sections
from rules.sentences import sentence
from rules.services.publishing import add_game_organiser

CODES = {"designed": "demo-designed", "standard": "demo-standard", "draft": "demo-draft", "sealed": "demo-sealed"}


def was_played() -> bool:
    """Whether the demo has run to its end here before. 1 query."""
    return Event.objects.filter(code__startswith=CODES["sealed"], state=Event.State.FINISHED).exists()


def play(story: Story) -> None:
    """Everything, in order. Leaves the data in place."""
    logins = staff_and_logins()
    for game in Game.objects.all():
        add_game_organiser(game=game, user=logins["organiser"])
    run = Event.objects.filter(code__startswith=CODES["designed"]).count() + 1
    suffix = f"-{run}" if run > 1 else ""
    _designed(story, logins, suffix)
    _standard(story, logins, suffix)
    _draft(story, logins, suffix)
    _sealed(story, logins, suffix)
    _judge(story)


def _open_event(
    story: Story, logins: dict[str, User], kind: str, policy: str, name: str, suffix: str, count: int
) -> Table:
    """An event made by the organiser, with a judge, ``count`` players registered and checked in."""
    organiser, judge = actor_of(logins["organiser"]), actor_of(logins["judge"])
    template = Policy.objects.filter(slug=policy, game__slug="engarde" if kind == "standard" else "epic").order_by(
        "-during"
    )[0]
    change = setup.create_event(
        actor=organiser,
        policy_id=template.pk,
        name=name,
        place="Tiltyard Hall",
        starts_at=timezone.now() + timedelta(hours=1),
        secret=story.secret(kind),
        code=CODES[kind] + suffix,
    )
    event = Event.objects.get(pk=change.facts["event"])
    setup.add_staff(event_id=event.pk, actor=organiser, email=logins["judge"].email, role=StaffRole.Role.JUDGE)
    story.chapter(f"{name}: {count} players (/e/{event.code}/)")
    story.say(
        f"Template {template.name}, rules of {event.legality_date:%-d %B %Y}, format version {event.format_version}."
    )
    story.say(f"The draw is sealed: SHA-256 {event.commitment[:16]}… is public from now on.")
    people = players(count, logins)
    guests = people[-2:] if kind == "designed" else []
    for person in people:
        if person not in guests:
            registration.register(event_id=event.pk, actor=actor_of(person), user_id=person.pk)
    for person in guests:
        entry = registration.add_player(event_id=event.pk, actor=organiser, name=person.display_name)
        registration.claim_entry(token=entry.facts["claim_token"], actor=actor_of(person), user_id=person.pk)
    if guests:
        names = " and ".join(person.display_name for person in guests)
        story.say(f"{names} were entered at the desk without an account and claimed their entries by link.")
    return Table(story, event, organiser, judge, story.stream(kind))


def _check_in(table: Table) -> None:
    entries = list(Player.objects.filter(event=table.event))
    for player in entries:
        registration.check_in(event_id=table.event.pk, actor=table.organiser, player_id=player.pk)
    table.story.say(f"{len(entries)} players checked in.")


def _submit(table: Table, player: Player, zones: dict[str, Zone]) -> str:
    """The outcome of the verdict; the story shows what is wrong with an illegal list."""
    change = submission.submit_decklist(
        event_id=table.event.pk, actor=_actor(player), player_id=player.pk, text=deck_text(zones)
    )
    outcome: str = change.facts["outcome"]
    table.story.outcome(f"{player.name} {outcome} {change.facts['fingerprint']}")
    if outcome != "legal":
        verdict = Decklist.objects.select_related("verdict").get(pk=change.facts["decklist"]).verdict
        table.story.detail(f"{player.name}'s decklist is {outcome}:")
        told = [violation for violation in verdict.violations if violation["code"] != "line.unresolved"]
        for violation in told[:4]:
            table.story.detail(f"  - {sentence(violation)} [{violation['cite']}]")
        for problem in verdict.problems[:2]:
            table.story.detail(f"  - Line {problem['number']}, “{problem['raw']}”: {problem['message']}")
    return outcome


def _actor(player: Player) -> Actor:
    return actor_of(player.user) if player.user is not None else Actor(user_id=None, name=player.name)


def _submit_all(table: Table, lists: dict[int, dict[str, Zone]], faults: dict[int, dict[str, Zone]]) -> None:
    entries = list(Player.objects.filter(event=table.event).select_related("user").order_by("pk"))
    for place, player in enumerate(entries):
        if place in faults:
            _submit(table, player, faults[place])
        outcome = _submit(table, player, lists[place])
        if place in faults:
            table.story.detail(f"{player.name} corrects it and submits again: {outcome}.")
    table.story.say(f"{len(entries)} decklists are in, {len(faults)} of them corrected after the first verdict.")


def _refuse_late(table: Table, zones: dict[str, Zone]) -> None:
    """A decklist after round 1 was posted is refused, and nothing of it is kept."""
    for player in Player.objects.filter(event=table.event).select_related("user").order_by("pk")[2:4]:
        try:
            submission.submit_decklist(
                event_id=table.event.pk, actor=_actor(player), player_id=player.pk, text=deck_text(zones)
            )
        except DomainError as refusal:
            table.story.detail(
                f"{player.name} submits another decklist late. Refused ({refusal.code}): {refusal.message}"
            )


def _swiss(table: Table, late_list: dict[str, Zone] | None = None) -> None:
    """Every Swiss round; a player drops after the second, so that an odd field needs a bye."""
    stage = table.event.stages.get(kind=Stage.Kind.SWISS)
    for number in range(1, (stage.rounds_planned or 0) + 1):
        played = play_round(table, with_incidents=late_list is not None)
        if number == 1 and late_list is not None:
            _refuse_late(table, late_list)
        if number == 2 and late_list is not None:
            drop_somebody(table, played.sequence)


def _cut(table: Table) -> None:
    change = stages.begin_next_stage(event_id=table.event.pk, actor=table.organiser)
    stage = Stage.objects.get(pk=change.facts["stage"])
    names = {player.pk: player.name for player in Player.objects.filter(pk__in=stage.seeds)}
    table.story.say(f"Cut to the top {len(stage.seeds)}: " + ", ".join(names[seed] for seed in stage.seeds) + ".")
    for _ in range(stage.rounds_planned or 0):
        final = play_round(table)
    (match,) = final.matches.prefetch_related("seats__player")
    winner = next(seat.player for seat in match.seats.all() if seat.outcome == "win")
    table.story.say(f"Winner: {winner.name}.")
    table.story.outcome(f"winner {winner.name}")


def _finish(table: Table) -> None:
    setup.finish_event(event_id=table.event.pk, actor=table.organiser)
    table.event.refresh_from_db()
    table.story.say(
        f"The event is closed at version {table.event.version}; its secret is public now. Check it: "
        f"manage.py verify_event {table.event.code}"
    )


def _tell_first(table: Table) -> None:
    last = Standing.objects.filter(round__event=table.event).aggregate(last=Max("round__sequence"))["last"]
    first = Standing.objects.select_related("player").get(round__event=table.event, round__sequence=last, rank=1)
    table.story.say(f"Winner: {first.player.name}.")
    table.story.outcome(f"winner {first.player.name}")


def _designed(story: Story, logins: dict[str, User], suffix: str) -> None:
    table = _open_event(story, logins, "designed", "designed-deck", "Epic Designed Deck Open", suffix, 16)
    game = Game.objects.get(slug="epic")
    lists = {place: designed_deck(table.rng, game, sideboard=place % 2 == 0) for place in range(16)}
    free = [card.name for card in Card.objects.filter(game=game, facts__cost="free").order_by("name")]
    too_free = {**lists[1], "Main deck": lists[1]["Main deck"] + Counter(free[:5])}
    copies = dict(lists[4], Sideboard=Counter({next(iter(lists[4]["Main deck"])): 14}))
    unknown = {**lists[7], "Main deck": lists[7]["Main deck"] + Counter({"Quill of Nobody": 1})}
    unknown["Main deck"][next(iter(sorted(unknown["Main deck"])))] += 3
    _submit_all(table, lists, {1: too_free, 4: copies, 7: unknown})
    _check_in(table)
    setup.start_event(event_id=table.event.pk, actor=table.organiser)
    _swiss(table, late_list=lists[0])
    _cut(table)
    _finish(table)


def _standard(story: Story, logins: dict[str, User], suffix: str) -> None:
    table = _open_event(story, logins, "standard", "standard", "EnGarde Standard Championship", suffix, 24)
    game, day = Game.objects.get(slug="engarde"), table.event.legality_date
    lists = {place: engarde_deck(table.rng, game, day) for place in range(24)}
    _submit_all(table, lists, _engarde_faults(lists, game, day))
    _check_in(table)
    setup.start_event(event_id=table.event.pk, actor=table.organiser)
    _swiss(table, late_list=lists[0])
    _cut(table)
    _finish(table)


def _engarde_faults(lists: dict[int, dict[str, Zone]], game: Game, day: date) -> dict[int, dict[str, Zone]]:
    """A banned card, a second copy of a restricted one, and a card that rotated out with no Realm beside it."""

    def instead(place: int, names: Counter[str], **zones: Zone) -> dict[str, Zone]:
        flat = sorted(lists[place]["Main deck"].elements())
        main = Counter(flat[names.total() :]) + names
        return {**lists[place], "Main deck": main, **zones}

    return {
        2: instead(2, Counter({"Hollowing — Greater": 1})),
        5: instead(5, Counter({"Tideturn: Reflux": 2})),
        9: instead(9, Counter({rotated_card(game, day): 1}), Realm=Counter()),
    }


def _draft(story: Story, logins: dict[str, User], suffix: str) -> None:
    table = _open_event(story, logins, "draft", "draft-2", "Epic Draft 2 Pod", suffix, 8)
    _check_in(table)
    setup.start_event(event_id=table.event.pk, actor=table.organiser)
    pod = Pod.objects.select_related("stage", "event").get(event=table.event)
    seats = list(pod.seats.select_related("player__user").order_by("index"))
    story.say("Seats, clockwise: " + ", ".join(seat.player.name for seat in seats) + ".")
    draft = draft_of(pod)
    while not draft.state.finished:
        current = draft.state.current
        if current and current[1] == 0:
            direction = draft.state.directions[current[0]]
            story.say(f"Pack {current[0] + 1} is opened: 15 cards each, passed to the {direction.value}.")
        for index in draft.state.pending:
            window = draft.state.waiting(index).window
            if window is None:
                continue
            shown = draft.shown(window)
            drafts.pick_card(
                event_id=table.event.pk,
                actor=_actor(seats[index].player),
                player_id=seats[index].player_id,
                pack_number=window.round + 1,
                pick_number=window.k,
                pack_card_id=shown[0],
            )
        draft = draft_of(pod)
    stages.begin_next_stage(event_id=table.event.pk, actor=table.organiser)
    _tell_pools(table)
    for seat in seats:
        _submit(table, seat.player, limited_deck(table.rng, seat.player_id, sideboard=0))
    stages.begin_next_stage(event_id=table.event.pk, actor=table.organiser)
    _swiss(table)
    _tell_first(table)
    _finish(table)


def _sealed(story: Story, logins: dict[str, User], suffix: str) -> None:
    table = _open_event(story, logins, "sealed", "sealed-3", "Epic Sealed Pack 3", suffix, 8)
    _check_in(table)
    setup.start_event(event_id=table.event.pk, actor=table.organiser)
    stages.begin_next_stage(event_id=table.event.pk, actor=table.organiser)
    _tell_pools(table)
    entries = list(Player.objects.filter(event=table.event).select_related("user").order_by("pk"))
    for place, player in enumerate(entries):
        zones = limited_deck(table.rng, player.pk, sideboard=15 if place % 2 else 0)
        if place == 3:
            smuggled = {**zones, "Main deck": zones["Main deck"] + Counter({_not_in_pool(player): 1})}
            _submit(table, player, smuggled)
            story.detail(f"{player.name} takes it out and submits again.")
        _submit(table, player, zones)
    stages.begin_next_stage(event_id=table.event.pk, actor=table.organiser)
    _swiss(table)
    _tell_first(table)
    _finish(table)


def _tell_pools(table: Table) -> None:
    for player in Player.objects.filter(event=table.event).order_by("pk"):
        rows = list(PoolCard.objects.filter(player=player).order_by("card__name").values_list("card__name", "count"))
        table.story.outcome(f"{player.name} {rows}")
    total = sum(count for _, count in rows)
    table.story.say(f"Every pool holds {total} cards.")


def _not_in_pool(player: Player) -> str:
    owned = PoolCard.objects.filter(player=player).values("card")
    names = Card.objects.filter(game=player.event.game).exclude(pk__in=owned).order_by("name")
    return str(names.values_list("name", flat=True)[0])


def _judge(story: Story) -> None:
    """By number, by a card's name, by a question."""
    story.chapter("A judge looks things up")
    for asked, why in (
        ("ENGARDE 10.2", "by number"),
        ("Hollowing — Greater", "by a card's name"),
        ("how many gift cards may a designed deck have?", "by a question"),
    ):
        hits = search_sections(query=asked, limit=1)
        story.say(f"{why}: “{asked}”")
        for hit in hits:
            section = hit.section
            document = section.document
            story.detail(
                f"[{document.prefix} {section.number}] {section.heading}, {document.title} ({document.version})"
            )
            story.detail(" ".join(section.body.split())[:300])
            story.outcome(f"{asked} {document.prefix} {section.number}")
