"""The tournament engine and other programs in one run, as the table in docs/engine.md has it."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from types import ModuleType
from typing import Any

from config.bench import pairing, standings, tables

SIZES = "8x5,64x8,256x10,1024x12,4096x13,10000x15,200x60"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--sizes", type=_sizes, default=_sizes(SIZES), help=f"players x rounds of Swiss events (default: {SIZES})"
    )
    parser.add_argument(
        "--peer-seconds", type=float, default=30, help="what each peer may take for all rounds of a size (default: 30)"
    )
    parser.add_argument("--seed", default="tiltyard", help="any text (default: tiltyard)")


def _sizes(text: str) -> list[tuple[int, int]]:
    try:
        sizes = [(int(players), int(rounds)) for players, rounds in (word.split("x") for word in text.split(","))]
    except ValueError:
        raise ArgumentTypeError("sizes such as 64x8,1024x12") from None
    if any(players < 4 or rounds < 1 for players, rounds in sizes):
        raise ArgumentTypeError("at least 4 players and one round")
    return sizes


def run(options: dict[str, Any]) -> dict[str, Any]:
    """``table`` is Markdown; the rest are the figures behind it, by "64x8"."""
    common = {"seed": options["seed"], "peer_seconds": options["peer_seconds"], "drops": pairing.DROPS}
    swiss = {
        f"{players}x{rounds}": pairing.run({**common, "players": players, "rounds": rounds})
        for players, rounds in options["sizes"]
    }
    ranked = standings.run({**_defaults(standings), **common, "players": 10_000, "rounds": 15})
    seated = tables.run({**_defaults(tables), **common, "players": 1000, "rounds": 7, "size": 4})
    return {"swiss": swiss, "standings": ranked, "tables": seated, "table": _table(swiss, ranked, seated)}


def _defaults(bench: ModuleType) -> dict[str, Any]:
    """What another bench is measured with when nobody says otherwise."""
    parser = ArgumentParser()
    bench.add_arguments(parser)
    return vars(parser.parse_args([]))


def _table(swiss: dict[str, Any], ranked: dict[str, Any], seated: dict[str, Any]) -> str:
    names = sorted({name for row in swiss.values() for name in (*row["peers"], *row["peers_skipped"])})
    head = ["players x rounds", "Tiltyard: median, worst", "times the floor", "not certified", "rematches", *names]
    lines = [head, ["---"] * len(head)]
    for size, row in swiss.items():
        peers = [
            f"{row['peers'][name]:g}" if name in row["peers"] else row["peers_skipped"].get(name, "-") for name in names
        ]
        lines.append(
            [
                size.replace("x", " x "),
                f"{row['median_ms']:g}, {row['worst_ms']:g}",
                f"{row['over_floor']:g}",
                str(row["uncertified_rounds"]),
                str(row["avoidable_rematches"]),
                *peers,
            ]
        )
    return "\n".join(
        [
            *("| " + " | ".join(line) + " |" for line in lines),
            "",
            f"Standings, {ranked['players']} x {ranked['rounds']}: {ranked['ms']:g} ms, "
            f"{ranked['ms'] / ranked['floor_ms']:.0f} times the sort of the points alone; "
            f"{ranked['near_ties']} neighbours whose decimals differ by noise only.",
            f"Tables of 4, {seated['players']} players, {seated['rounds']} rounds: {seated['repeats']} met twice, "
            f"{seated['median_ms']:g} ms a round, {seated['worst_ms']:g} at worst; shuffled, sorted and cut: "
            f"{seated['floor_repeats']}.",
        ]
    )
