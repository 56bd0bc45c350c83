"""Events for tests, made by the same services that the pages use. Fixtures over these are in conftest.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from accounts.models import User
from accounts.services import create_user
from cards.engine.streams import Stream
from cards.models import Game
from config.demo.deckbuilding import deck_text, designed_deck, engarde_deck, limited_deck
from events.models import Event, Match, Player, Pod, PoolCard, Round, StaffRole, Stage
from events.queries.drafting import PodDraft, draft_of
from events.queries.scoring import missing_results
from events.services import drafts, registration, results, rounds, setup, stages, submission
from events.services.transaction import Actor
from rules.models import Policy
from rules.packreader import read_pack
from rules.services.loading import load_pack

SECRET = bytes(range(32))
STARTS = datetime(2027, 3, 5, 9, 0, tzinfo=UTC)  # not yet: events of tests are still to come
NAMES = [
    *("Ada Brook", "Bela Quist", "Cleo Marsh", "Dov Hale", "Ema Lund", "Finn Oduya", "Gita Rao", "Hugo Stern"),
    *("Ilse Vann", "Joon Park", "Kira Dahl", "Liam Ford", "Maja Horn", "Nils Berg", "Olga Reyes", "Pia Wolf"),
]


@dataclass
class Made:
    """An event, its people, and what they do next. ``players`` in order of registration, each with an account."""

    event: Event
    organiser: User
    judge: User
    players: list[Player]
    texts: dict[int, str] = field(default_factory=dict)

    @property
    def by_organiser(self) -> Actor:
        return actor_of(self.organiser)

    def refresh(self) -> Event:
        self.event.refresh_from_db()
        return self.event

    def draft_round(self) -> Round:
        """The next round, paired and shown to nobody but staff."""
        number = rounds.draft_round(event_id=self.event.pk, actor=self.by_organiser).facts["round"]
        return Round.objects.get(event=self.event, sequence=number)

    def post_round(self, *, clock: bool = True) -> Round:
        """The next round, posted; its clock runs unless ``clock`` is false."""
        round_ = self.draft_round()
        rounds.post_round(event_id=self.event.pk, actor=self.by_organiser, round_number=round_.sequence)
        if clock:
            rounds.start_clock(event_id=self.event.pk, actor=self.by_organiser, round_number=round_.sequence)
        round_.refresh_from_db()
        return round_

    def play_round(self) -> Round:
        """The next round, won 2-0 by everybody in seat A, and completed."""
        round_ = self.post_round()
        for match in missing_results(round_):
            results.decide_result(
                event_id=self.event.pk, actor=self.by_organiser, match_id=match.pk, wins_a=2, wins_b=0
            )
        rounds.complete_round(event_id=self.event.pk, actor=self.by_organiser, round_number=round_.sequence)
        round_.refresh_from_db()
        return round_

    def next_stage(self) -> Stage:
        change = stages.begin_next_stage(event_id=self.event.pk, actor=self.by_organiser)
        return Stage.objects.get(pk=change.facts["stage"])

    def finish(self) -> None:
        setup.finish_event(event_id=self.event.pk, actor=self.by_organiser)
        self.refresh()

    def match_of(self, player: Player, round_: Round) -> Match:
        return Match.objects.get(round=round_, seats__player=player)

    def opponent_of(self, player: Player, round_: Round) -> Player:
        seat = self.match_of(player, round_).seats.exclude(player=player).select_related("player__user").get()
        return seat.player

    def report(self, player: Player, round_: Round, wins: int, losses: int, draws: int = 0) -> None:
        results.report_result(
            event_id=self.event.pk,
            actor=actor_of(user_of(player)),
            match_id=self.match_of(player, round_).pk,
            player_id=player.pk,
            wins=wins,
            losses=losses,
            draws=draws,
        )

    def submit(self, player: Player, text: str | None = None) -> str:
        """Hands in ``text``, or a legal decklist; the outcome."""
        if text is None:
            text = legal_text(self.event, player)
        change = submission.submit_decklist(
            event_id=self.event.pk, actor=actor_of(user_of(player)), player_id=player.pk, text=text
        )
        outcome: str = change.facts["outcome"]
        return outcome

    def draft(self, player: Player) -> PodDraft:
        return draft_of(Pod.objects.select_related("stage", "event").get(event=self.event, seats__player=player))

    def pick(self, player: Player, *, index: int = 0, draft: PodDraft | None = None) -> int:
        """Take a card from the pack in front of a player, the ``index``-th as it is shown; its instance."""
        draft = draft or self.draft(player)
        seat = draft.seat_of_player(player.pk)
        assert seat is not None
        window = draft.state.waiting(seat.index).window
        assert window is not None
        taken = draft.shown(window)[index]
        drafts.pick_card(
            event_id=self.event.pk,
            actor=actor_of(user_of(player)),
            player_id=player.pk,
            pack_number=window.round + 1,
            pick_number=window.k,
            pack_card_id=taken,
        )
        return taken

    def draft_to_the_end(self) -> None:
        """Everybody takes the first card shown, until no pack is left."""
        for pod in Pod.objects.filter(event=self.event).select_related("stage", "event"):
            draft = draft_of(pod)
            while not draft.state.finished:
                for index in draft.state.pending:
                    self.pick(draft.seats[index].player, draft=draft)
                draft = draft_of(pod)


def load_packs(*games: str) -> None:
    """The games, or those that events are mostly of, as ``manage.py load_packs`` does."""
    for slug in games or ("epic", "engarde"):
        load_pack(pack=read_pack(Path(settings.BASE_DIR) / "rules" / "packs" / slug))


def actor_of(user: User) -> Actor:
    return Actor(user_id=user.pk, name=user.display_name)


def user_of(player: Player) -> User:
    assert player.user is not None
    return player.user


def make_user(name: str, *, password: str | None = None) -> User:
    """An account called ``name``; nobody logs in without a password, but by ``client.force_login``."""
    address = "-".join(name.casefold().split()) + "@example.org"
    found = User.objects.filter(email=address).first()
    return found or create_user(email=address, display_name=name, password=password)


def policy_of(slug: str) -> Policy:
    return Policy.objects.filter(slug=slug).order_by("-during")[0]


def make_event(
    *,
    policy: str = "designed-deck",
    players: int = 4,
    started: bool = False,
    checked_in: bool | None = None,
    decklists: bool | None = None,
    name: str = "Open of Hollowmere",
    code: str | None = None,
    names: Sequence[str] = NAMES,
    **options: object,
) -> Made:
    """An event with registered players, and with ``started`` checked in, decklists handed in and under way.

    ``options`` go to ``create_event``. Limited events start with their draft or packs; decklists come after those.
    """
    organiser, judge = make_user("Odile Marchetti"), make_user("Jun Tanaka")
    arguments: dict[str, object] = {"starts_at": STARTS, "secret": SECRET, "place": "Town hall", **options}
    change = setup.create_event(
        actor=actor_of(organiser), policy_id=policy_of(policy).pk, name=name, code=code, **arguments
    )
    event = Event.objects.select_related("game", "format", "format_version", "policy").get(pk=change.facts["event"])
    setup.add_staff(event_id=event.pk, actor=actor_of(organiser), email=judge.email, role=StaffRole.Role.JUDGE)
    for person in (make_user(word) for word in names[:players]):
        registration.register(event_id=event.pk, actor=actor_of(person), user_id=person.pk)
    entries = list(Player.objects.filter(event=event).select_related("user").order_by("pk"))
    made = Made(event=event, organiser=organiser, judge=judge, players=entries)
    limited = event.stages.filter(kind__in=[Stage.Kind.DRAFT, Stage.Kind.SEALED]).exists()
    if started if checked_in is None else checked_in:
        for player in entries:
            registration.check_in(event_id=event.pk, actor=actor_of(organiser), player_id=player.pk)
    if (started and not limited) if decklists is None else decklists:
        for player in entries:
            assert made.submit(player) == "legal"
    if started:
        setup.start_event(event_id=event.pk, actor=actor_of(organiser))
    made.refresh()
    for player in entries:
        player.refresh_from_db()
    return made


def legal_text(event: Event, player: Player | None = None) -> str:
    """A decklist that is legal in ``event``, from the player's pool where there is one."""
    rng = Stream(SECRET, "deck")
    if player is not None and PoolCard.objects.filter(player=player).exists():
        return deck_text(limited_deck(rng, player.pk, sideboard=0))
    game = Game.objects.get(pk=event.game_id)
    if game.slug == "engarde":
        return deck_text(engarde_deck(rng, game, event.legality_date))
    return deck_text(designed_deck(rng, game, sideboard=False))


def too_many_copies(text: str) -> str:
    """``text`` with the first card of its main deck fourteen times."""
    heading, first, *rest = text.splitlines()
    return "\n".join([heading, f"14 {first.split(' ', 1)[1]}", *rest])
