"""A list in one block with as many cards as a deck and its sideboard have: nothing is guessed, it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from decks.engine.headings import ZoneSpec
from decks.engine.parser import CardLine, ParsedDecklist, ProblemLine
from rules.engine.formatschema import ZoneCount
from rules.engine.legality import CompiledFormat


def ask_for_sideboard(parsed: ParsedDecklist, compiled: CompiledFormat) -> ParsedDecklist:
    """``parsed`` with a question where it can't be told which cards are the sideboard, and those in no zone till then.

    75 cards without a heading may be a deck of 75, or 60 and a sideboard of 15. Where a line ends at 60 the heading is
    proposed there; where none does, only to say that all of it is the deck. The parser's own question about a blank
    line comes first, and so does every other problem; a list that names either part is left alone.
    """
    if asked := [problem for problem in parsed.problems if problem.code == "decks.zones_unclear"]:
        return _awaiting(parsed, asked[0])
    if len(parsed.zones) < 2 or parsed.kind != "text" or parsed.problems:
        return parsed
    main, side = parsed.zones[:2]
    block = [line for line in parsed.cards if line.zone == main.key]
    is_named = any(heading.zone in (main.key, side.key) for heading in parsed.headings)
    if is_named or any(line.zone == side.key for line in parsed.cards):
        return parsed
    total = sum(line.count for line in block)
    for deck, board in _sizes(compiled, main.key, side.key):
        if deck + board == total:
            question = _question(block, deck, board, main, side)
            return _awaiting(replace(parsed, problems=(question,)), question)
    return parsed


def _awaiting(parsed: ParsedDecklist, question: ProblemLine) -> ParsedDecklist:
    """The cards from the line of the question on count as lines of an unknown zone."""
    awaited = [line for line in parsed.cards if line.zone == parsed.zones[0].key and line.number >= question.number]
    told = f"Line {question.number} asks which part of the deck this is."
    problems = [
        *parsed.problems,
        *(ProblemLine(line.number, line.raw, "decks.zone_awaited", told, count=line.count) for line in awaited),
    ]
    cards = tuple(line for line in parsed.cards if line not in awaited)
    return replace(parsed, cards=cards, problems=tuple(sorted(problems, key=lambda problem: problem.number)))


def _sizes(compiled: CompiledFormat, main: str, side: str) -> Iterator[tuple[int, int]]:
    """(least deck, sideboard) of the format, each sideboard that has cards and a size of its own."""
    rules = [clause.rule for clause in compiled.clauses if clause.always and isinstance(clause.rule, ZoneCount)]
    least = max((rule.min or min(rule.one_of or (0,)) for rule in rules if rule.zones == (main,)), default=0)
    for rule in rules:
        if least and rule.zones == (side,):
            yield from ((least, size) for size in rule.one_of or (rule.max or 0,) if size)


def _question(block: Sequence[CardLine], deck: int, board: int, main: ZoneSpec, side: ZoneSpec) -> ProblemLine:
    above = 0
    for line in block:
        if above == deck:
            asked = (
                f"{deck + board} cards stand in one block. Are the {board} from line {line.number} on the "
                f"{side.label}? Write “{side.label}” above that line, or “{main.label}” if all of them are the "
                f"{main.label}."
            )
            return _problem(line, asked, (side.label, main.label))
        above += line.count
    asked = (
        f"{deck + board} cards stand in one block, as many as {deck} and a {side.label} of {board}, but no line ends "
        f"at {deck}. Put the cards of the {side.label} below that word, or write “{main.label}” at the top if all of "
        f"them are the {main.label}."
    )
    return _problem(block[0], asked, (main.label,))


def _problem(line: CardLine, asked: str, headings: tuple[str, ...]) -> ProblemLine:
    words = tuple(f"{heading}\n{line.raw}" for heading in headings)
    return ProblemLine(line.number, line.raw, "decks.zones_unclear", asked, headings, words, count=0)
