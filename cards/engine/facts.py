"""What a game says of its cards: which facts there are, and how a cell of a table is read as one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

FactValue = bool | int | str

_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class FactSpec(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    label: Annotated[str, Field(min_length=1, max_length=60)]
    type: Literal["choice", "number", "text", "flag"]
    values: tuple[Annotated[str, Field(min_length=1)], ...] = ()

    @model_validator(mode="after")
    def _choices_have_values(self) -> Self:
        if (self.type == "choice") != bool(self.values):
            raise ValueError("a choice lists its values, and nothing else does")
        return self

    def admits(self, value: FactValue) -> bool:
        """Whether a card could have this value."""
        match self.type:
            case "choice":
                return value in self.values
            case "number":
                return isinstance(value, int) and not isinstance(value, bool)
            case "flag":
                return isinstance(value, bool)
            case "text":
                return isinstance(value, str)

    def read(self, cell: str) -> FactValue:
        """The value that a cell stands for. ValueError says what it should have been."""
        if self.type == "number":
            try:
                return int(cell)
            except ValueError:
                raise ValueError(f"{self.label} is a whole number, not {cell!r}") from None
        if self.type == "flag":
            if cell.casefold() not in _FLAGS:
                raise ValueError(f"{self.label} is yes or no, not {cell!r}")
            return _FLAGS[cell.casefold()]
        if self.type == "choice" and cell not in self.values:
            raise ValueError(f"{self.label} is one of {', '.join(self.values)}, not {cell!r}")
        return cell


def fact_specs(facts: Mapping[str, Any]) -> dict[str, FactSpec]:
    """The facts of game.toml, as a game keeps them, typed."""
    return {key: FactSpec.model_validate(spec) for key, spec in facts.items()}
