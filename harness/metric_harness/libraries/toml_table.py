"""Reading a TOML file that people write: each mistake is named with the file, the place and what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from metric_harness.system.errors import HarnessError


@dataclass(frozen=True)
class Table:
    """A table of a TOML file that knows where it stands, so that a mistake in it can be named."""

    file: Path
    place: str
    values: Mapping[str, Any]
    last: str = ""

    def wrong(self, key: str, what: str) -> NoReturn:
        """Raise the HarnessError of a mistake at a key."""
        raise HarnessError(f"{self.file}: {self.place}{key}: {what}")

    def allow(self, *keys: str) -> None:
        """Refuse every key that is none of these."""
        for key in self.values:
            if key not in keys:
                self.wrong(key, f"unknown key; {', '.join(keys)} are known")

    def _get(self, key: str, kind: type, called: str, default: Any = None) -> Any:
        value = self.values.get(key, default)
        if value is None:
            self.wrong(key, f"missing; expected {called}")
        if not isinstance(value, kind):
            self.wrong(key, f"expected {called}, got {value!r}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """A text, its line breaks turned into spaces; empty only if that is the default."""
        value = " ".join(self._get(key, str, "a text", default).split())
        if not value and default is None:
            self.wrong(key, "empty; expected a text")
        return value

    def flag(self, key: str) -> bool:
        """Yes or no; no if the key is missing."""
        return bool(self._get(key, bool, "true or false", False))

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; none if the key is missing."""
        values = self._get(key, list, "a list of texts", [])
        if not all(isinstance(value, str) for value in values):
            self.wrong(key, f"expected a list of texts, got {values!r}")
        return tuple(values)

    def address(self, key: str) -> str:
        """A web address."""
        value = self.text(key)
        if not value.startswith(("https://", "http://")):
            self.wrong(key, f"expected a web address, got {value!r}")
        return value

    def tables(self, key: str) -> list[Table]:
        """The tables of an array, at least one."""
        entries = self._get(key, list, f"at least one [[{key}]]")
        if not entries or not all(isinstance(entry, dict) for entry in entries):
            self.wrong(key, f"expected at least one [[{key}]]")
        return [Table(self.file, f"{key}[{index}].", entry) for index, entry in enumerate(entries)]

    def named_tables(self, key: str) -> list[Table]:
        """The tables inside a table, at least one."""
        entries = self._get(key, dict, f"at least one [{key}.NAME]")
        for name, entry in entries.items():
            if not isinstance(entry, dict):
                self.wrong(f"{key}.{name}", f"expected a table, got {entry!r}")
        if not entries:
            self.wrong(key, f"expected at least one [{key}.NAME]")
        return [Table(self.file, f"{key}.{name}.", entry, name) for name, entry in entries.items()]
