from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command


def run(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        call_command("check_deck", *arguments)
    out, err = capsys.readouterr()
    return int(end.value.code or 0), out, err


STANDARD = ("--format", "engarde/standard", "--on", "2026-11-30")


def test_a_legal_deck_ends_with_zero(legal_text: str, tmp_path: Path, capsys) -> None:
    file = tmp_path / "deck.txt"
    file.write_text(legal_text)
    code, out, err = run(*STANDARD, str(file), capsys=capsys)
    assert (code, err) == (0, "")
    assert out.startswith("Legal: engarde/standard 2025 on 2026-11-30")


def test_an_illegal_deck_ends_with_one_and_every_reason_on_stderr(legal_text: str, tmp_path: Path, capsys) -> None:
    file = tmp_path / "deck.txt"
    file.write_text(legal_text + "\n1 The Long Bell")
    code, _, err = run(*STANDARD, str(file), capsys=capsys)
    assert code == 1
    assert "ENGARDE 2.6: " in err
    assert "(lines 19)" in err


def test_a_deck_that_can_not_be_decided_ends_with_two(legal_text: str, tmp_path: Path, capsys) -> None:
    file = tmp_path / "deck.txt"
    lines = legal_text.split("\n")
    file.write_text("\n".join([*lines[:16], "Nobody", *lines[17:]]))
    code, _, err = run(*STANDARD, str(file), capsys=capsys)
    assert code == 2
    assert "line 17: " in err


def test_json_is_the_answer_of_the_api(legal_text: str, tmp_path: Path, capsys, client) -> None:
    file = tmp_path / "deck.txt"
    file.write_text(legal_text)
    code, out, _ = run(*STANDARD, "--json", str(file), capsys=capsys)
    body = {"game": "engarde", "format": "standard", "on": "2026-11-30", "text": legal_text}
    assert code == 0
    assert json.loads(out) == client.post("/api/v1/check", body, content_type="application/json").json()


def test_a_deck_may_come_from_standard_input(legal_text: str, capsys, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(legal_text.encode())))
    code, out, err = run(*STANDARD, "-", capsys=capsys)
    assert (code, err) == (0, "")
    assert out.startswith("Legal: ")


@pytest.mark.usefixtures("engarde")
def test_a_folder_is_no_deck(tmp_path: Path, capsys) -> None:
    code, out, err = run(*STANDARD, str(tmp_path), capsys=capsys)
    assert (code, out) == (2, "")
    assert "can't be read" in err


@pytest.mark.usefixtures("engarde")
@pytest.mark.parametrize(
    ("arguments", "content", "said"),
    [
        (("--format", "engarde/nothing"), b"3 A", "format"),
        (("--format", "chess/standard"), b"3 A", "format"),
        (("--format", "standard"), b"3 A", "format"),
        (("--format", "engarde/standard", "--on", "soon"), b"3 A", "'soon' is no day"),
        (("--format", "engarde/standard", "--on", "20250601"), b"3 A", "'20250601' is no day"),
        (("--format", "engarde/standard", "--on", "2025-02-30"), b"3 A", "'2025-02-30' is no day"),
        (("--format", "engarde/standard", "--on", "1999-01-01"), b"3 A", "in force on 1999-01-01"),
        (("--format", "engarde/standard"), b"", "is empty"),
        (("--format", "engarde/standard"), b" \n\t\n", "is empty"),
        (("--format", "engarde/standard"), b"\xff\xfe3", "not UTF-8"),
        (("--format", "engarde/standard"), b"3 A\x00", "not text"),
        (("--format", "engarde/standard"), b"\xe2\x82\xac" * 100_000, "at most"),
        (("--format", "engarde/standard"), None, "can't be read"),
    ],
)
def test_what_can_not_be_read_ends_with_two_and_a_sentence(arguments, content, said, tmp_path: Path, capsys) -> None:
    file = tmp_path / "deck.txt"
    if content is not None:
        file.write_bytes(content)
    code, out, err = run(*arguments, str(file), capsys=capsys)
    assert (code, out) == (2, "")
    assert said in err
