from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from cards.engine.boosters import ProductDefinition
from cards.engine.rows import CardRow
from cards.models import Card, CardName, CardSet, CardTag, Erratum, Game, Printing, Product
from cards.services import import_cards
from config.errors import Conflict, DomainError
from decks.models import Decklist
from decks.queries import check_text
from rules.engine.legality import CardFacts, DeckFacts, DeckLine, check
from rules.models import FormatVersion, Policy, RulesDocument, Ruling, Section, StatusEntry
from rules.packreader import read_pack
from rules.queries import card_facts_for, compiled_format, format_by_slug, format_version_on
from rules.services.loading import LoadReport, load_pack
from tests.rules.packs import FILES, MORE, edited, write_pack

pytestmark = pytest.mark.django_db
MODELS = (
    Game,
    CardSet,
    Card,
    CardName,
    Printing,
    CardTag,
    Product,
    RulesDocument,
    Section,
    FormatVersion,
    StatusEntry,
    Policy,
    Erratum,
    Ruling,
)


def load(folder: Path, changes: Mapping[str, str | None] | None = None) -> LoadReport:
    return load_pack(pack=read_pack(write_pack(folder, changes)))


def everything() -> dict[str, list[tuple[object, ...]]]:
    return {model.__name__: sorted(model.objects.values_list(), key=str) for model in MODELS}


def submit() -> None:
    """A decklist that refers to the format's version."""
    version = FormatVersion.objects.get()
    Decklist.objects.create(
        format_version=version, legality_date=date(2026, 6, 1), text="2 Lance", entries=[], fingerprint="x"
    )


def test_a_pack_becomes_rows(tmp_path: Path):
    report = load(tmp_path)
    assert (report.changed, sorted(report.cards.added)) == (True, ["Herald, Sworn", "Lance", "Shield"])
    lance = Card.objects.get(slug="lance")
    assert (lance.facts, lance.is_sample) == ({"cost": "free", "power": 3}, False)
    assert Card.objects.get(slug="shield").is_sample
    assert sorted(lance.names.values_list("key", "kind")) == [("lance", "canonical"), ("spear", "alias")]
    assert list(Section.objects.get(number="2.1").cards.all()) == [lance]
    assert Section.objects.get(number="R1").is_reading
    entry = StatusEntry.objects.get()
    assert (entry.card, entry.status, entry.during.lower) == (lance, "banned", date(2026, 2, 1))
    booster = ProductDefinition.model_validate(Product.objects.get().definition)
    names = dict(Card.objects.values_list("pk", "name"))
    assert [(names[card], weight) for card, weight in booster.sheets[0].entries] == [
        ("Lance", 1),
        ("Shield", 1),
        ("Herald, Sworn", 2),
    ]


def test_loading_a_pack_again_changes_nothing(tmp_path: Path, django_assert_num_queries):
    load(tmp_path, MORE)
    before = everything()
    with django_assert_num_queries(5):  # savepoint and its release, two settings, one read
        assert not load(tmp_path, MORE).changed
    assert everything() == before


def test_a_pack_that_changed_in_one_file_leaves_the_rows_of_the_others(tmp_path: Path):
    load(tmp_path, MORE)
    before = everything()
    load(tmp_path, {**MORE, **edited("documents/rulebook.1.md", "Two riders", "Both riders")})
    changed = {"Game", "Section", "RulesDocument"}
    assert {name for name, rows in everything().items() if rows != before[name]} == changed


def test_every_kind_of_status_is_stored(tmp_path: Path):
    load(tmp_path, MORE)
    fields = ("card__name", "status", "max_copies", "points", "zone")
    assert sorted(StatusEntry.objects.values_list(*fields), key=str) == [
        ("Lance", "banned", 0, None, ""),
        ("Shield", "limit", 2, None, "side"),
        ("Shield", "points", None, 3, ""),
    ]


def test_the_same_rows_come_of_a_change_and_its_undoing(tmp_path: Path):
    load(tmp_path)
    before = everything()
    load(tmp_path, {**edited("game.toml", "Second list", "Third list"), **edited("cards.csv", "Block.", "Parry.")})
    assert (CardSet.objects.get(code="J2").name, Card.objects.get(slug="shield").text) == ("Third list", "Parry.")
    load(tmp_path)
    assert everything() == before


def test_a_list_becomes_that_of_the_pack(tmp_path: Path):
    load(tmp_path)
    load(tmp_path, edited("lists.toml", "from = 2026-02-01", "from = 2026-02-01\nuntil = 2026-03-01"))
    [entry] = StatusEntry.objects.all()
    assert entry.during.upper == date(2026, 3, 1)
    load(
        tmp_path,
        {"lists.toml": FILES["lists.toml"].split("[[tag]]")[0] + '[[tag]]\ntag = "gift"\ncards = []\nsource = "x"\n'},
    )
    assert not CardTag.objects.exists()


def test_a_general_ban_holds_in_each_format_beside_its_own_list(tmp_path: Path):
    closed = FILES["formats/open.1.toml"].replace('slug = "open"', 'slug = "closed"', 1)
    general = FILES["lists.toml"].replace('format = "open"', 'format = ["open", "closed"]', 1)
    own = '[[status]]\nformat = "closed"\ncard = "Shield"\nstatus = "restricted"\nmax_copies = 1\n'
    load(
        tmp_path,
        {"formats/closed.1.toml": closed, "lists.toml": f'{own}source = "x"\nsection = "JOUST 2.1"\n{general}'},
    )
    assert sorted(StatusEntry.objects.values_list("format__slug", "card__name", "status")) == [
        ("closed", "Lance", "banned"),
        ("closed", "Shield", "restricted"),
        ("open", "Lance", "banned"),
    ]


def test_a_general_ban_of_a_format_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(DomainError) as refused:
        load(tmp_path, edited("lists.toml", 'format = "open"', 'format = ["open", "closed"]'))
    assert [fault["message"] for fault in refused.value.context["faults"]] == ["no such format: closed"]


def test_a_version_nothing_refers_to_may_be_mended(tmp_path: Path):
    load(tmp_path)
    load(tmp_path, edited("formats/open.1.toml", "min = 2", "min = 4"))
    assert FormatVersion.objects.get().definition["constraint"][0]["min"] == 4


def test_a_version_that_a_decklist_refers_to_keeps_its_definition(tmp_path: Path):
    load(tmp_path)
    submit()
    before = everything()
    with pytest.raises(Conflict) as refused:
        load(
            tmp_path, {**edited("formats/open.1.toml", "min = 2", "min = 4"), **edited("cards.csv", "Block.", "Parry.")}
        )
    assert refused.value.code == "pack.version_in_use"
    assert refused.value.context == {"slug": "open", "version": "1", "used_by": ["1 decklist"]}
    assert everything() == before


def test_a_version_in_use_is_the_same_under_a_schema_that_has_more_to_say(tmp_path: Path):
    load(tmp_path)
    submit()
    version = FormatVersion.objects.get()
    older = {key: value for key, value in version.definition.items() if key != "play"}
    assert older != version.definition
    FormatVersion.objects.update(definition=older, digest="of the older schema")
    cited = edited("formats/open.1.toml", "[pool]", '[unresolved]\ncite = "JOUST 2"\n\n[pool]')
    load(tmp_path, cited)
    version.refresh_from_db()
    assert (version.digest, version.definition["unresolved"]) == ("of the older schema", {"cite": "JOUST 2"})
    with pytest.raises(Conflict) as refused:
        load(tmp_path, {"formats/open.1.toml": cited["formats/open.1.toml"].replace("JOUST 2", "JOUST 2.1", 1)})
    assert refused.value.code == "pack.version_in_use"


def test_a_version_in_use_can_still_be_closed_and_followed(tmp_path: Path):
    load(tmp_path)
    submit()
    second = FILES["formats/open.1.toml"].replace('version = "1"\n', 'version = "2"\nfrom = 2026-08-01\n', 1)
    closed = edited("formats/open.1.toml", 'version = "1"\n', 'version = "1"\nuntil = 2026-08-01\n')
    load(tmp_path, {**closed, "formats/open.2.toml": second.replace("min = 2", "min = 4")})
    found = format_by_slug(game="joust", slug="open")
    days = (date(2026, 7, 31), date(2026, 8, 1))
    assert [format_version_on(format=found, day=day).version for day in days] == ["1", "2"]


def test_the_first_day_of_a_version_in_use_stays(tmp_path: Path):
    load(tmp_path)
    submit()
    with pytest.raises(Conflict, match="used by 1 decklist"):
        load(tmp_path, edited("formats/open.1.toml", 'version = "1"\n', 'version = "1"\nfrom = 2026-01-01\n'))


def test_a_version_that_the_pack_forgot_must_not_overlap(tmp_path: Path):
    load(tmp_path)
    second = FILES["formats/open.1.toml"].replace('version = "1"\n', 'version = "2"\n', 1)
    with pytest.raises(Conflict) as refused:
        load(tmp_path, {"formats/open.1.toml": None, "formats/open.2.toml": second})
    assert refused.value.code == "pack.overlap"


def test_wording_may_be_mended_and_a_section_in_use_may_not_go(tmp_path: Path):
    load(tmp_path)
    submit()
    load(tmp_path, edited("documents/rulebook.1.md", "At least *two* cards", "Two cards or more"))
    assert Section.objects.get(number="2.1").body.startswith("Two cards")
    without = FILES["documents/rulebook.1.md"].split("## 2.2")[0]
    with pytest.raises(Conflict) as refused:
        load(tmp_path, {"documents/rulebook.1.md": without})
    assert (refused.value.code, refused.value.context["sections"]) == ("pack.section_in_use", ["2.2"])


def test_cards_are_never_removed(tmp_path: Path):
    load(tmp_path)
    kept = Card.objects.get(slug="shield").pk
    rows = FILES["cards.csv"].replace("J1,2,Shield,,,Block.,action,\n", "J1,2,Buckler,,,,action,\n")
    lists = FILES["lists.toml"].replace('"Shield"', '"Lance"')
    with pytest.raises(Conflict, match=r"J1 2 of Buckler \(line 3\) is already Shield"):
        load(tmp_path, {"cards.csv": rows, "lists.toml": lists})
    assert Card.objects.get(pk=kept).name == "Shield"


def test_a_deck_is_judged_by_what_was_in_force_on_the_day(tmp_path: Path, django_assert_num_queries):
    load(tmp_path)
    found = format_by_slug(game="joust", slug="open")
    ids = dict(Card.objects.values_list("slug", "pk"))
    outcomes = []
    for day in (date(2026, 1, 31), date(2026, 2, 1)):
        version = format_version_on(format=found, day=day)
        with django_assert_num_queries(4):
            compiled = compiled_format(format_version=version, day=day)
            facts = card_facts_for(ids.values(), day=day)
        deck = DeckFacts(tuple(DeckLine("main", 1, facts[ids[slug]]) for slug in ("lance", "shield")))
        outcomes.append(check(deck, compiled).outcome)
    assert outcomes == ["legal", "illegal"]
    assert facts[ids["shield"]] == CardFacts(
        ids["shield"], "Shield", {"cost": "action"}, frozenset({"gift"}), (date(2025, 1, 1),), ("J1",)
    )


def test_a_former_name_means_the_renamed_card_in_decklists_and_lists(tmp_path: Path):
    load(tmp_path)
    kept = Card.objects.get(slug="lance").pk
    cards = (
        "set,number,name,aliases,faces,former,text,cost,power\nJ1,1,Long Lance,Spear,,Lance|Pole,,free,3\n"
        'J1,2,Shield,,,,Block.,action,\nJ2,1,Long Lance,Spear,,Lance,,free,3\nJ2,2,"Herald, Sworn",,,,,,\n'
    )
    changes = {"cards.csv": cards, **edited("lists.toml", 'card = "Spear"', 'card = "Pole"')}
    assert load(tmp_path, changes).cards.changed == ["Long Lance"]
    assert Card.objects.get(pk=kept).name == "Long Lance"
    assert not load(tmp_path, changes).changed
    found = format_by_slug(game="joust", slug="open")
    day = date(2026, 1, 1)
    checked = check_text(
        text="2 Lance\n1 Pole\n1 Long Lance\n",
        game=found.game,
        format_version=format_version_on(format=found, day=day),
        day=day,
    )
    assert [(line.count, line.card.id, line.card.name) for line in checked.deck.lines] == [(4, kept, "Long Lance")]
    assert StatusEntry.objects.get().card_id == kept


def test_an_import_adds_what_is_new_and_tells_what_changed(tmp_path: Path):
    game = load(tmp_path).game
    rows = [
        CardRow(1, "J2", "3", "Shield", text="Block.", facts={"cost": "action"}),
        CardRow(2, "J2", "4", "Crest", aliases=("Badge",)),
        CardRow(3, "J1", "1", "Lance", aliases=("Spear",), facts={"cost": "free", "power": 3}),
    ]
    dry = import_cards(game=game, rows=rows, dry_run=True)
    assert (dry.added, dry.changed, dry.same, dry.clashing) == (["Crest"], ["Shield"], 1, [])
    assert not Card.objects.filter(slug="crest").exists()
    import_cards(game=game, rows=rows)
    assert sorted(Card.objects.get(slug="shield").printings.values_list("number", flat=True)) == ["2", "3"]
    again = import_cards(game=game, rows=rows)
    assert (again.added, again.changed, again.same) == ([], [], 3)


def test_an_import_with_a_clash_changes_nothing(tmp_path: Path):
    game = load(tmp_path).game
    rows = [
        CardRow(1, "J2", "9", "Crest"),
        CardRow(2, "J2", "8", "Pike", aliases=("Spear",)),
        CardRow(3, "J1", "1", "Visor"),
    ]
    with pytest.raises(Conflict) as refused:
        import_cards(game=game, rows=rows)
    assert refused.value.context["clashing"] == [
        "Spear of Pike (line 2) already means Lance",
        "J1 1 of Visor (line 3) is already Lance",
    ]
    assert not Card.objects.filter(slug="crest").exists()
    with pytest.raises(DomainError, match="has no set J9"):
        import_cards(game=game, rows=[CardRow(1, "J9", "1", "Crest")])


def test_the_commands_load_and_import(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = write_pack(tmp_path / "joust")
    call_command("load_packs", folder)
    call_command("load_packs", folder)
    assert capsys.readouterr().out == "Joust: loaded, 3 cards added, 0 changed.\nJoust: as it was loaded before.\n"
    table = tmp_path / "new.json"
    table.write_text('[{"set": "J3", "number": "1", "name": "Crest", "facts": {"power": 2}}]')
    with pytest.raises(CommandError, match="no set J3"):
        call_command("import_cards", "joust", table)
    call_command("import_cards", "joust", table, "--set", "J3=Third list@2026-05-01", "--dry-run")
    assert not CardSet.objects.filter(code="J3").exists()
    call_command("import_cards", "joust", table, "--set", "J3=Third list@2026-05-01")
    assert Card.objects.get(slug="crest").facts == {"power": 2}
    table.write_text('[{"set": "J3", "number": "2", "name": "Crown", "facts": {"power": "two"}}]')
    with pytest.raises(CommandError, match="Power can't be 'two'"):
        call_command("import_cards", "joust", table)
    with pytest.raises(CommandError, match="no game"):
        call_command("import_cards", "chess", table)
