"""What a worker says, as types; the protocol is described in ``metric_adapters.worker``."""

from __future__ import annotations

from typing import TypedDict

from metric_reports.types.run import Source


class Started(TypedDict):
    """The answer to ``start``. calls : how each function is called and with which inputs, in words."""

    version: str
    python: str
    packages: dict[str, str]
    subjects: dict[str, Source]
    calls: dict[str, str]


class Checked(TypedDict):
    """The answer to ``check``. mistake : empty if the subject keeps the contract. changed : the case's arrays that it
    modified. place : file and line of the mistake.
    """

    mistake: str
    changed: list[str]
    place: tuple[str, int] | None


class Convention(TypedDict):
    """A way of calling a user's function; ``metric_adapters.own.conventions`` describes the keys."""

    name: str
    about: str
    why: str
    call: str | None
    needs: list[str]
    cuts: list[int]
    limits: list[int]
    returned: list[list[str]]
    rare: bool
    zeros: list[str]


NO_CONVENTION: Convention = {
    "name": "",
    "about": "",
    "why": "",
    "call": None,
    "needs": [],
    "cuts": [],
    "limits": [],
    "returned": [],
    "rare": False,
    "zeros": [],
}
"""The convention of a library's function, which its adapter calls."""
