"""Who may import whom, and who may write: read from the source by its syntax tree, so nothing is imported."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ORDER = {"accounts": 0, "cards": 0, "rules": 1, "decks": 2, "events": 3, "config": 4}
LEAVES = frozenset({"config.errors", "config.text"})  # standard library only; every layer may import them
OF_THE_DATABASE = "config.prepared"  # knows no app; whoever reads the database may use it
PURE = frozenset({"numpy", "rustworkx", "pydantic", "rapidfuzz"})
STDLIB = frozenset(sys.stdlib_module_names)

# Each layer with those it may import, of its own app and of lower ones. "plain" is a module that the design names no
# layer for (names.py, panels.py): it may read, and only that. "bench" fills a database of its own, to measure in it.
MAY_IMPORT = {
    "leaf": set(),
    "engine": {"engine"},
    "models": {"engine", "models", "plain"},
    "database": set(),
    "plain": {"engine", "models", "plain", "queries", "database"},
    "queries": {"engine", "models", "plain", "queries", "database"},
    "services": {"engine", "models", "plain", "queries", "services", "database"},
    "forms": {"engine", "models", "plain", "queries", "services", "forms"},
    "edge": {"engine", "models", "plain", "queries", "services", "forms", "edge", "leaf"},
    "embedded": {"embedded"},
    "bench": {"engine", "models", "plain", "queries", "services", "forms", "edge", "leaf", "bench"},
}
READERS = frozenset({"engine", "plain", "queries", "forms", "edge"})  # models hold managers, services write
EDGE = frozenset({"views", "urls", "api", "tasks", "management", "admin", "apps", "adapter", "templatetags", "feed"})
WEB = ("django.http", "django.shortcuts", "django.forms", "django.views", "rest_framework", "django_htmx")
# What an engine is given as an argument, or must not depend on.
IMPURE_MODULES = frozenset({"random", "secrets", "time", "uuid", "socket", "subprocess", "threading", "asyncio"})
IMPURE_CALLS = frozenset({"now", "utcnow", "today", "urandom", "getrandom", "default_rng"})
WRITES = frozenset({"save", "create", "get_or_create", "update_or_create", "bulk_create", "bulk_update"})
WRITES |= {f"a{name}" for name in WRITES}
SQL_WRITES = ("INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "COPY")


@dataclass(frozen=True)
class Module:
    name: str
    source: str

    @property
    def app(self) -> str:
        return self.name.partition(".")[0]

    @property
    def layer(self) -> str:
        return layer_of(self.name)


def layer_of(name: str) -> str:
    """The layer of a module, or of a name inside one: "events.models.Pick" is in models."""
    if any(name == leaf or name.startswith(f"{leaf}.") for leaf in LEAVES):
        return "leaf"
    if f"{name}.".startswith(f"{OF_THE_DATABASE}."):
        return "database"
    app, *path = name.split(".")
    if app == "config":
        return path[0] if path[:1] in (["embedded"], ["bench"]) else "edge"
    first = path[0] if path else ""
    if first in ("engine", "models", "queries", "services"):
        return first
    if first in ("forms", "serializers") or first.startswith("forms_") or path[:2] == ["api", "serializers"]:
        return "forms"
    return "edge" if first in EDGE or first.startswith("urls_") else "plain"


def project_modules(root: Path = ROOT) -> list[Module]:
    """Every module of the apps and of config; migrations are Django's."""
    modules = []
    for path in sorted(file for app in ORDER for file in (root / app).rglob("*.py")):
        words = path.relative_to(root).with_suffix("").parts
        if "migrations" not in words:
            modules.append(Module(".".join(words).removesuffix(".__init__"), path.read_text(encoding="utf-8")))
    return modules


def breaches(module: Module) -> list[str]:
    """What this module does that its layer may not, as "line: sentence"."""
    tree = ast.parse(module.source)
    found = [
        *((line, said) for line, target in imports(module, tree) if (said := forbidden_import(module, target))),
        *(_writes(tree) if module.layer in READERS else ()),
        *(_impurities(tree) if module.layer == "engine" else ()),
        *(_requests(tree) if module.layer in ("services", "queries", "models") else ()),
    ]
    return [f"{module.name}:{line}: {said}" for line, said in sorted(set(found))]


def imports(module: Module, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every imported name in full, wherever in the module it stands, also those given as text to a loader."""
    package = module.name.split(".")
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level]) if node.level else ""
            start = ".".join(part for part in (base, node.module) if part)
            yield from ((node.lineno, f"{start}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and _called(node) in ("import_module", "import_string", "get_model"):
            words = [word.value for word in node.args if isinstance(word, ast.Constant) and isinstance(word.value, str)]
            if words and _called(node) == "get_model":
                yield node.lineno, f"{words[0].partition('.')[0]}.models"
            elif words:
                yield node.lineno, words[0]


def forbidden_import(module: Module, target: str) -> str | None:
    """Why ``module`` may not import ``target``; None when it may."""
    root = target.partition(".")[0]
    layer = module.layer
    if root == "tests":
        return "the project imports its tests"
    if target.startswith("django.dispatch") or (root in ("django", "allauth") and "signals" in target.split(".")):
        return f"{target}: a signal, where the design wants a call of a service"
    if root not in ORDER:
        return _forbidden_library(layer, root, target)
    if target in ORDER:
        return None  # the bare package holds nothing
    other = layer_of(target)
    if other == "leaf":
        return f"{target}: a leaf imports the standard library only" if layer == "leaf" else None
    if other != "database" and root != module.app and ORDER[root] >= ORDER[module.app]:
        return f"{target}: {root} does not stand below {module.app}"
    if other not in MAY_IMPORT[layer] and not (module.app == "config" and layer == "edge"):
        return f"{target}: {layer} may not import {other}"
    return None


def _forbidden_library(layer: str, root: str, target: str) -> str | None:
    if root in STDLIB:
        return f"{target}: not pure" if layer == "engine" and root in IMPURE_MODULES else None
    if layer == "engine" and root not in PURE:
        return f"{target}: an engine may use {', '.join(sorted(PURE))} only"
    if layer in ("leaf", "embedded") and (layer, root) != ("embedded", "pytest"):
        return f"{target}: standard library only"
    if layer in ("models", "queries", "services") and any(f"{target}.".startswith(f"{web}.") for web in WEB):
        return f"{target}: {layer} know nothing of the web"
    return None


def _writes(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        name = node.func.attr
        bare = not node.args  # cache.delete(key) and dict.update(other) take their argument by place, the ORM never
        if (
            name in WRITES
            or (name in ("delete", "adelete") and bare)
            or (name in ("update", "aupdate") and bare and node.keywords)
            or (name in ("execute", "executemany") and _sql(node).startswith(SQL_WRITES))
        ):
            yield node.lineno, f".{name}() writes: only services do"


def _sql(call: ast.Call) -> str:
    first = call.args[0] if call.args else None
    return first.value.strip().upper() if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


def _impurities(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "random" and ast.unparse(node.value) in ("np", "numpy"):
            yield node.lineno, "numpy's random numbers: take rng as an argument"
        elif isinstance(node, ast.Call) and _called(node) in IMPURE_CALLS and isinstance(node.func, ast.Attribute):
            yield node.lineno, f".{_called(node)}(): take it as an argument"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("open", "input"):
            yield node.lineno, f"{node.func.id}(): an engine does no input or output"


def _requests(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.arg == "request":
            yield node.lineno, "takes a request: that belongs to the edge"


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def strangers(root: Path = ROOT) -> list[str]:
    """Python at the top of the checkout that the design does not name."""
    ours = {*ORDER, "tests"}
    packages = [p.name for p in root.iterdir() if p.is_dir() and (p / "__init__.py").exists() and p.name not in ours]
    return sorted(packages + [p.name for p in root.glob("*.py") if p.name != "manage.py"])
