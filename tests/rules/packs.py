"""A small game pack, written by a test, that is sound until the test changes something in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

FILES = {
    "game.toml": """\
slug = "joust"
name = "Joust"
[facts.cost]
label = "Cost"
type = "choice"
values = ["action", "free"]
[facts.power]
label = "Power"
type = "number"
[[zones]]
key = "main"
label = "Main deck"
headings = ["main", "deck"]
[[zones]]
key = "side"
label = "Sideboard"
headings = ["side"]
[[sets]]
code = "J1"
name = "First list (sample)"
legal_on = 2025-01-01
sample = true
[[sets]]
code = "J2"
name = "Second list"
legal_on = 2026-01-01
[glossary]
"tilt yard" = "Where they ride."
[synonyms]
"unhorse" = ["destroy", "kill"]
""",
    "cards.csv": """\
set,number,name,aliases,faces,text,cost,power
J1,1,Lance,Spear,,,free,3
J1,2,Shield,,,Block.,action,
J2,1,Lance,,,,free,3
J2,2,"Herald, Sworn",,,,,
""",
    "lists.toml": """\
[[status]]
format = "open"
card = "Spear"
status = "banned"
max_copies = 0
from = 2026-02-01
source = "Heralds' list"
section = "JOUST 2.1"
[[tag]]
tag = "gift"
cards = ["Shield"]
source = "JOUST 2"
""",
    "formats/open.1.toml": """\
slug = "open"
name = "Open"
version = "1"
document = { slug = "rulebook", version = "1" }
[pool]
kind = "all"
[[constraint]]
id = "size"
kind = "zone_count"
zones = ["main"]
min = 2
cite = "JOUST 2.1"
[[constraint]]
id = "gifts"
kind = "sum"
zones = ["main"]
select = { tag = "gift" }
max = 1
cite = "JOUST 2.1"
reading = "JOUST R1"
[[constraint]]
id = "lists"
kind = "status"
zones = ["main"]
cite = "JOUST 2.1"
""",
    "policy/open.1.toml": """\
slug = "open"
name = "Open joust"
version = "1"
format = "open"
[match]
best_of = 3
cite = { best_of = "JOUST 1" }
[points]
[decklist]
[standings]
metrics = ["match_points", "omw"]
[[stages]]
kind = "sealed"
packs = 1
product = "booster"
[[stages]]
kind = "swiss"
""",
    "products.toml": """\
[[product]]
slug = "booster"
name = "Booster (sample)"
version = 1
pack_size = 2
unique_in_pack = true
[[product.slots]]
name = "any"
count = 2
sheet = "all"
[[product.sheets]]
name = "all"
entries = [{ set = "J1", weight = 1 }, { card = "Herald, Sworn", weight = 2 }]
""",
    "documents/rulebook.1.md": """\
+++
slug = "rulebook"
version = "1"
prefix = "JOUST"
title = "Rules of the joust"
source = "The heralds"
+++

## 1 The bout
Two riders charge at each other until one is unhorsed or the time of fifty minutes is over.

## 2 Decks
What a rider brings.

## 2.1 Size of a deck
covers: J.SIZE
cards: Lance

At least *two* cards. The deck of a rider has no upper limit, and nobody counts it.

## 2.2 Mulligan
A rider may put the starting hand back once and draw as many cards, paying one point for each.
""",
    "readings.toml": """\
[[reading]]
number = "R1"
heading = "Gifts"
document = "rulebook"
version = "1"
question = "How many gifts may there be?"
body = "One."
""",
}

# What else a pack may have: lists of every kind, errata, rulings, and one file for a family of formats and policies.
MORE = {
    "lists.toml": FILES["lists.toml"]
    + """\
[[status]]
format = "open"
card = "Shield"
status = "limit"
max_copies = 2
zone = "side"
source = "Heralds' list"
section = "JOUST 2.1"
[[status]]
format = "open"
card = "Shield"
status = "points"
points = 3
source = "Heralds' list"
section = "JOUST 2.1"
[[erratum]]
card = "Spear"
from = 2026-03-01
facts = { power = 2 }
source = "Heralds' errata of February"
announced_on = 2026-02-20
[[erratum]]
card = "Lance"
from = 2026-05-01
facts = { cost = "action" }
text = "Unhorse one rider."
source = "Heralds' errata of April"
""",
    "rulings.toml": """\
[[ruling]]
number = "J-1"
question = "May a rider bring a second shield?"
answer = "Yes. Nothing bounds the shields of a deck."
authority = "The head herald"
source = "Letter of the heralds"
citations = ["JOUST 2.1", "JOUST R1"]
cards = ["Shield"]
from = 2026-02-01
[[ruling]]
number = "J-2"
question = "Is a spear a lance?"
answer = "Yes: both names mean one card."
kind = "reminder"
cards = ["Spear", "Shield"]
date_note = "date unknown"
""",
    "formats/open.1.toml": FILES["formats/open.1.toml"]
    + """\
[[constraint]]
id = "points"
kind = "points"
zones = ["main"]
budget = 10
cite = "JOUST 2.1"
""",
    "formats/sealed-n.1.toml": """\
for_each = [2, 3]
slug = "sealed-{n}"
name = "Sealed, {n} packs"
version = "1"
document = { slug = "rulebook", version = "1" }
[pool]
kind = "event_pool"
cite = "JOUST 2.1"
[[constraint]]
id = "size"
kind = "zone_count"
zones = ["main"]
min = "{n}"
label = "cards of {n} packs"
cite = "JOUST 2.1"
""",
    "policy/sealed-n.1.toml": FILES["policy/open.1.toml"]
    .replace('slug = "open"', 'for_each = [2, 3]\nslug = "sealed-{n}"', 1)
    .replace('format = "open"', 'format = "sealed-{n}"')
    .replace('name = "Open joust"', 'name = "Sealed joust, {n} packs"')
    .replace("packs = 1", 'packs = "{n}"'),
}


def write_pack(folder: Path, changes: Mapping[str, str | None] | None = None) -> Path:
    """Writes the pack into the folder; ``changes`` gives other texts for some files, None for a file left out."""
    for name, text in {**FILES, **(changes or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        if text is not None:
            path.write_text(text)
    return folder


def edited(file: str, old: str, new: str) -> dict[str, str | None]:
    """One file with one text in it replaced."""
    assert old in FILES[file]
    return {file: FILES[file].replace(old, new, 1)}
