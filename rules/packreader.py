"""Reads the folder of a game pack. Every fault in it is told at once, with its file and line."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from cards.engine.rows import merge, read_csv
from config.errors import DomainError
from config.text import unstorable_character
from rules.engine.documents import parse_document
from rules.engine.formatschema import FormatDefinition
from rules.engine.packcheck import Fault, In, Parts, faults_of
from rules.engine.packschema import (
    Document,
    FrontMatter,
    GameFile,
    ListsFile,
    Pack,
    ProductsFile,
    ReadingsFile,
    RulingsFile,
    SectionText,
)
from rules.engine.policyschema import PolicyDefinition
from rules.engine.positions import in_data, toml_line
from rules.engine.repeating import KEY, file_slug, repeated

Model = TypeVar("Model", bound=BaseModel)

# Raise it when the same files are to be stored in another way: then a pack that didn't change is loaded again.
STORED_AS = b"2"
FIXED = ("game.toml", "cards.csv", "lists.toml", "products.toml", "readings.toml", "rulings.toml")
FOLDERS = {"formats": ".toml", "policy": ".toml", "documents": ".md"}
LARGEST = 16 * 1024 * 1024
DEEPEST = 40


def read_pack(folder: Path) -> Pack:
    """The pack in the folder. DomainError ``pack.invalid``: its context has every fault as {file, line, message}."""
    reader = _Reader(folder)
    pack = reader.read()
    if reader.faults or pack is None:
        # The definitions that one file stands for have the same fault in the same place.
        found = {(f["file"], f["line"], f["message"]): f for f in map(reader.located, reader.faults)}
        faults = list(found.values())
        faults.sort(key=lambda fault: (fault["file"], fault["line"] or 0, fault["message"]))
        lines = [f"{f['file']}{':' + str(f['line']) if f['line'] else ''}: {f['message']}" for f in faults]
        raise DomainError(
            "pack.invalid", f"The pack {folder.name} can't be used:\n" + "\n".join(lines), {"faults": faults}
        )
    return pack


@dataclass
class _Reader:
    folder: Path
    faults: list[Fault] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    def read(self) -> Pack | None:
        if not (self.folder / "game.toml").is_file():
            self.faults.append(Fault("game.toml", None, "the folder has no such file"))
            return None
        self._read_texts()
        game = self._toml("game.toml", GameFile)
        lists = self._toml("lists.toml", ListsFile) or ListsFile()
        products = self._toml("products.toml", ProductsFile) or ProductsFile()
        rulings = self._toml("rulings.toml", RulingsFile) or RulingsFile()
        formats = self._each("formats/", FormatDefinition)
        policies = self._each("policy/", PolicyDefinition)
        documents = self._documents()
        if game is None:
            return None
        rows, row_faults = read_csv(self.texts.get("cards.csv", "set,number,name"), game.facts)
        drafts, merge_faults = merge(rows)
        self.faults += [Fault("cards.csv", fault.line, fault.message) for fault in (*row_faults, *merge_faults)]
        broken = frozenset(fault.file for fault in self.faults)
        parts = Parts(
            game=game,
            rows=rows,
            cards=drafts,
            lists=lists,
            products=products,
            formats=formats,
            policies=policies,
            documents=documents,
            rulings=rulings,
            broken_files=broken,
        )
        self.faults += faults_of(parts)
        return Pack(
            game=game,
            rows=tuple(rows),
            cards=tuple(drafts),
            lists=lists,
            formats=tuple(part.value for part in formats),
            policies=tuple(part.value for part in policies),
            products=products.product,
            documents=tuple(part.value for part in documents),
            rulings=rulings.ruling,
            digest=self._digest(),
        )

    def located(self, fault: Fault) -> dict[str, Any]:
        text = self.texts.get(fault.file, "")
        line = toml_line(text, fault.where) if isinstance(fault.where, tuple) else fault.where
        also = f" (see line {toml_line(text, fault.also)})" if fault.also is not None else ""
        return {"file": fault.file, "line": line, "message": fault.message + also}

    def _digest(self) -> str:
        digest = hashlib.sha256(STORED_AS)
        for name, text in sorted(self.texts.items()):
            encoded = text.encode()
            digest.update(f"{name}\0{len(encoded)}\0".encode() + encoded)
        return digest.hexdigest()

    def _read_texts(self) -> None:
        for path in sorted(self.folder.rglob("*")):
            name = path.relative_to(self.folder).as_posix()
            if not path.is_file() or path.name.startswith(".") or path.name in ("README.md", "LICENSE"):
                continue
            top, _, rest = name.partition("/")
            if name not in FIXED and not ("/" not in rest and rest and path.suffix == FOLDERS.get(top)):
                self.faults.append(Fault(name, None, "no file that a pack has: see which names and folders it may use"))
                continue
            if path.stat().st_size > LARGEST:
                self.faults.append(Fault(name, None, "larger than 16 MB"))
                continue
            try:
                text = path.read_bytes().decode("utf-8")
            except UnicodeDecodeError as error:
                line = path.read_bytes()[: error.start].count(b"\n") + 1
                self.faults.append(Fault(name, line, "not UTF-8"))
                continue
            if found := unstorable_character(text):
                self.faults.append(Fault(name, None, f"holds {found}"))
                continue
            self.texts[name] = text.replace("\r\n", "\n")

    def _toml(self, file: str, model: type[Model]) -> Model | None:
        if file not in self.texts:
            return None
        return self._validated(file, self.texts[file], model)

    def _validated(self, file: str, text: str, model: type[Model], first_line: int = 0) -> Model | None:
        data = self._data(file, text, first_line)
        return None if data is None else self._model(file, text, data, model, first_line)

    def _data(self, file: str, text: str, first_line: int = 0) -> dict[str, Any] | None:
        try:
            data = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            said = re.search(r"\(at line (\d+)", str(error))
            self.faults.append(Fault(file, int(said[1]) + first_line if said else None, f"not TOML: {error}"))
            return None
        faults = list(_unusable(data))
        for path, message in faults:
            self._fault(file, text, path, message, first_line)
        return None if faults else data

    def _model(
        self, file: str, text: str, data: Mapping[str, Any], model: type[Model], first_line: int = 0
    ) -> Model | None:
        try:
            return model.model_validate(data)
        except ValidationError as error:
            for one in error.errors():
                self._fault(file, text, in_data(data, one["loc"]), one["msg"].removeprefix("Value error, "), first_line)
            return None

    def _fault(self, file: str, text: str, path: Sequence[str | int], message: str, first_line: int = 0) -> None:
        line = toml_line(text, path)
        where = ".".join(str(part + 1 if isinstance(part, int) else part) for part in path)
        self.faults.append(
            Fault(file, None if line is None else line + first_line, f"{where}: {message}" if where else message)
        )

    def _each(self, prefix: str, model: type[Model]) -> list[In[Model]]:
        read: list[In[Model]] = []
        for file in [file for file in self.texts if file.startswith(prefix)]:
            data = self._data(file, self.texts[file])
            if data is None:
                continue
            try:
                definitions = repeated(data)
            except ValueError as error:
                self.faults.append(Fault(file, (KEY,), str(error)))
                continue
            values = [self._model(file, self.texts[file], definition, model) for definition in definitions]
            read += [In(file, value) for value in values if value is not None]
            expected = f"{prefix}{file_slug(data)}.{data.get('version')}.toml"
            if file != expected and None not in values:
                self.faults.append(Fault(file, ("slug",), f"the file should be {expected}"))
        return read

    def _documents(self) -> list[In[Document]]:
        documents: list[In[Document]] = []
        for file in [file for file in self.texts if file.startswith("documents/")]:
            parsed = parse_document(self.texts[file])
            self.faults += [Fault(file, line, message) for line, message in parsed.faults]
            front = self._validated(file, parsed.front, FrontMatter, parsed.front_line) if parsed.front_line else None
            if front is None:
                continue
            if file != f"documents/{front.slug}.{front.version}.md":
                self.faults.append(Fault(file, 2, f"the file should be documents/{front.slug}.{front.version}.md"))
            documents.append(In(file, Document(front, tuple(parsed.sections))))
        return self._with_readings(documents)

    def _with_readings(self, documents: Sequence[In[Document]]) -> list[In[Document]]:
        file = "readings.toml"
        readings = self._toml(file, ReadingsFile)
        if readings is None:
            return list(documents)
        added: Mapping[tuple[str, str], list[SectionText]] = {part.value.ref.key: [] for part in documents}
        for index, reading in enumerate(readings.reading):
            where = ("reading", index)
            line = toml_line(self.texts[file], where) or 0
            section = SectionText(
                line=line,
                number=reading.number,
                heading=reading.heading,
                body=f"*{reading.question.strip()}*\n\n{reading.body.strip()}",
                covers=reading.covers,
                is_reading=True,
            )
            if (reading.document, reading.version) in added:
                added[reading.document, reading.version].append(section)
            elif not any(fault.file.startswith("documents/") for fault in self.faults):
                self.faults.append(Fault(file, line, f"no such document: {reading.document} {reading.version}"))
        return [
            In(part.file, Document(part.value.front, (*part.value.sections, *added[part.value.ref.key])))
            for part in documents
        ]


def _unusable(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Text that escapes in TOML can make and no column can hold, and nesting that no rule needs."""
    if len(path) > DEEPEST:
        yield path[:1], f"nested more than {DEEPEST} deep"
    elif isinstance(value, str):
        if found := unstorable_character(value):
            yield path, f"holds {found}"
    elif isinstance(value, dict):
        for key, one in value.items():
            if found := unstorable_character(key):
                yield path, f"has a key that holds {found}"
            yield from _unusable(one, (*path, key))
    elif isinstance(value, list):
        for place, one in enumerate(value):
            yield from _unusable(one, (*path, place))
