"""Ids of any type as 64-bit keys: whole numbers as they are, everything else by a hash with a check against collisions.

Only the distinct values of a batch are looked at; Arrow's dictionaries say which row holds which.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

WHOLE_NUMBER = r"^-?(?:0|[1-9][0-9]{0,17})(?:\.0+)?$"
KINDS = ("whole", "text")
MOST_GAPS = 1 << 20
"""Whole numbers are counted by their distance from the least where at most so many more than the rows lie between."""

_ODD = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F)
_HEX = np.frombuffer(bytes.fromhex("".join(f"{ord(a):02x}{ord(b):02x}" for a in "0123456789abcdef"
                                           for b in "0123456789abcdef")), np.uint8).reshape(256, 2)  # fmt: skip


class OtherKind(Exception):
    """A column that was taken for whole numbers holds text: everything is read again as text."""


class Collision(Exception):
    """Two different ids have one key: everything is read again with another seed."""


@dataclass(frozen=True, eq=False)
class Distinct:
    """Different ids: ``keys`` and ``checks`` (int64, two independent hashes), one each.

    texts, rows : id i is the text at ``rows[i]``, or at i where ``rows`` is None.
    """

    keys: np.ndarray
    checks: np.ndarray
    texts: pa.Array | pa.ChunkedArray | None
    rows: np.ndarray | None = None

    def bare(self) -> Distinct:
        """The keys and checks without the texts, which take the most room."""
        return Distinct(self.keys, self.checks, None)

    @cached_property
    def values(self) -> pa.Array:
        """The ids as Arrow text, in the order of the keys. Made when somebody asks: mostly nobody does."""
        assert self.texts is not None  # nobody asks for names that were not kept
        return one_array(self.texts if self.rows is None else self.texts.take(pa.array(self.rows)))

    @cached_property
    def _by_key(self) -> np.ndarray:
        return np.argsort(self.keys, kind="stable")

    def places(self, keys: np.ndarray) -> np.ndarray:
        """Place of each key here; every key must be here."""
        return self._by_key[np.searchsorted(self.keys, keys, sorter=self._by_key)]

    @cached_property
    def ranks(self) -> np.ndarray:
        """int64: place of each value in the order of the values."""
        ranks = np.empty(len(self.keys), dtype=np.int64)
        ranks[pc.sort_indices(self.values).to_numpy()] = np.arange(len(self.keys))
        return ranks


@dataclass(frozen=True, eq=False)
class Keyed:
    """A column of ids: ``keys`` (int64) of each row; for text also ``codes``, each row's place in ``distinct``."""

    keys: np.ndarray
    codes: np.ndarray | None = None
    distinct: Distinct | None = None


def kind_of(column: pa.Array | pa.ChunkedArray) -> str:
    """``whole`` where all ids are whole numbers ("7" and "7.0", but not "07"), else ``text``."""
    if is_whole(column.type):
        return "whole"
    values = as_text(_encoded(column).dictionary)
    return "whole" if pc.all(pc.match_substring_regex(values, WHOLE_NUMBER), min_count=0).as_py() else "text"


def is_whole(kind: pa.DataType) -> bool:
    """Whether an Arrow type holds nothing but whole numbers that fit 64 bits."""
    return pa.types.is_integer(kind) and not pa.types.is_uint64(kind)


def keyed(column: pa.Array | pa.ChunkedArray, kind: str, seed: int = 0) -> Keyed:
    """The keys of a column without missing values.

    Raises :class:`OtherKind` where ``kind`` is ``whole`` and a value is not, and :class:`Collision`.
    """
    if kind == "whole" and is_whole(column.type):
        return Keyed(one_array(column).cast(pa.int64()).to_numpy(zero_copy_only=False))
    encoded = _encoded(column)
    codes = encoded.indices.to_numpy(zero_copy_only=False)
    values = as_text(encoded.dictionary)
    if kind == "whole":
        if not pc.all(pc.match_substring_regex(values, WHOLE_NUMBER), min_count=0).as_py():
            raise OtherKind
        numbers = pc.replace_substring_regex(values, r"\.0+$", "").cast(pa.int64()).to_numpy(zero_copy_only=False)
        return Keyed(numbers[codes])
    distinct = distinct_of(values, seed)
    return Keyed(distinct.keys[codes], codes, distinct)


def distinct_of(values: pa.Array, seed: int = 0) -> Distinct:
    """The keys and checks of different texts; raises :class:`Collision` if two of them share a key."""
    first, second = hash_texts(values, seed)
    ordered = np.sort(first)
    if np.any(ordered[1:] == ordered[:-1]):
        raise Collision
    return Distinct(first, second, values)


def union(parts: list[Distinct]) -> Distinct | None:
    """All ids of several lists of different ones; raises :class:`Collision` where one key stands for two ids."""
    if not parts:
        return None
    keys, checks = (np.concatenate([getattr(part, name) for part in parts]) for name in ("keys", "checks"))
    order = np.argsort(keys, kind="stable")
    keys, checks = keys[order], checks[order]
    same = keys[1:] == keys[:-1]
    if np.any(same & (checks[1:] != checks[:-1])):
        raise Collision
    kept = np.concatenate([np.ones(min(1, len(order)), dtype=bool), ~same])
    if any(part.texts is None for part in parts):
        return Distinct(keys[kept], checks[kept], None)
    texts = pa.chunked_array([chunk for part in parts for chunk in _chunks(part.values)], type=pa.large_string())
    return Distinct(keys[kept], checks[kept], texts, order[kept])


def _chunks(values: pa.Array | pa.ChunkedArray) -> list[pa.Array]:
    return values.chunks if isinstance(values, pa.ChunkedArray) else [values]


def find(ordered: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """int64: the place of each wanted key among ordered ones, -1 where it is not. Fast for any order of the wanted."""
    if not len(ordered):
        return np.full(len(wanted), -1)
    if np.all(wanted[1:] >= wanted[:-1]):
        place = np.searchsorted(ordered, wanted)
    else:  # in order, each search begins where the last one ended
        order = np.argsort(wanted)
        place = np.empty(len(wanted), dtype=np.int64)
        place[order] = np.searchsorted(ordered, wanted[order])
    place[place == len(ordered)] = 0
    return np.where(ordered[place] == wanted, place, -1)


def named(keys: np.ndarray, distinct: Distinct | None) -> pa.Array:
    """The ids behind keys: numbers, or the texts of ``distinct``."""
    return pa.array(keys) if distinct is None else distinct.values.take(pa.array(distinct.places(keys)))


def local_codes(ids: Keyed) -> tuple[np.ndarray, np.ndarray]:
    """Small numbers for the ids of a batch: of each row, and the key behind each number (some may stand in no row)."""
    if ids.codes is not None and ids.distinct is not None:
        return ids.codes, ids.distinct.keys
    if not len(ids.keys):
        return np.empty(0, np.int32), ids.keys
    low, high = int(ids.keys.min()), int(ids.keys.max())
    if high - low < 4 * len(ids.keys) + MOST_GAPS:
        return (ids.keys - low).astype(np.int32), np.arange(low, high + 1)
    encoded = pa.array(ids.keys).dictionary_encode()
    return encoded.indices.to_numpy(), encoded.dictionary.to_numpy()


def hash_texts(values: pa.Array, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two independent 64-bit hashes of each text, int64, eight bytes at a time."""
    values = values.cast(pa.large_string())
    if not len(values):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    _, offsets_buffer, data = values.buffers()
    offsets = np.frombuffer(offsets_buffer, np.int64, len(values) + 1, values.offset * 8)
    lengths = np.diff(offsets)
    raw = np.zeros(int(offsets[-1] - offsets[0]) + 8, dtype=np.uint8)
    if data is not None:
        raw[:-8] = np.frombuffer(data, np.uint8, len(raw) - 8, int(offsets[0]))
    words = np.lib.stride_tricks.as_strided(np.frombuffer(raw.data, np.uint64, 1), (len(raw) - 7,), (1,))
    starts, longest = offsets[:-1] - offsets[0], int(lengths.max())
    seeds = 2 * seed, 2 * seed + 1
    hashes = [_mixed(lengths.astype(np.uint64) + np.uint64(_ODD[s % 4] * (2 * s + 1) % 2**64), s) for s in seeds]
    for at in range(0, longest, 8):
        left = lengths - at
        those = np.flatnonzero(left > 0) if int(left.min()) <= 0 else slice(None)
        word = words[starts[those] + at]
        if int(left.min()) < 8:
            spare = 8 * np.maximum(8 - left[those], 0)
            word &= np.uint64(2**64 - 1) >> spare.astype(np.uint64)
        for one, s in zip(hashes, seeds, strict=True):
            one[those] = _mixed(one[those] ^ word, s)
    return hashes[0].view(np.int64), hashes[1].view(np.int64)


def _mixed(value: np.ndarray, seed: int) -> np.ndarray:
    """Every bit of the input bears on every bit of the output: two rounds of multiply and fold."""
    value = value * np.uint64(_ODD[seed % 4])
    value ^= value >> np.uint64(29)
    value *= np.uint64(_ODD[(seed + 1) % 4])
    return value ^ (value >> np.uint64(32))


def as_text(values: pa.Array) -> pa.Array:
    """Ids of any type as text; 16 bytes are written as a UUID, other bytes as hexadecimal digits."""
    kind = values.type
    if isinstance(kind, pa.BaseExtensionType):
        values, kind = values.storage, values.storage.type
    if pa.types.is_fixed_size_binary(kind):
        return _hexadecimal(values, kind.byte_width)
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return pa.array([value.hex() for value in values.to_pylist()], pa.large_string())
    return values.cast(pa.large_string())


def _hexadecimal(values: pa.Array, width: int) -> pa.Array:
    raw = np.frombuffer(values.buffers()[1], np.uint8, len(values) * width, values.offset * width)
    digits = _HEX[raw].reshape(len(values), 2 * width)
    if width == 16:
        digits = np.insert(digits, (8, 12, 16, 20), ord("-"), axis=1)
    offsets = np.arange(len(values) + 1, dtype=np.int64) * digits.shape[1]
    return pa.LargeStringArray.from_buffers(
        len(values), pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(digits))
    )


def _encoded(column: pa.Array | pa.ChunkedArray) -> pa.DictionaryArray:
    """The column as one dictionary array whose dictionary names each value once."""
    if isinstance(column.type, pa.BaseExtensionType):
        column = (
            pa.chunked_array([chunk.storage for chunk in column.chunks])
            if isinstance(column, pa.ChunkedArray)
            else column.storage
        )
    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries() if isinstance(column, pa.ChunkedArray) else column
    else:
        column = column.dictionary_encode()
    return one_array(column)


def one_array(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """One array instead of several."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    if column.num_chunks == 1:
        return column.chunk(0)
    combined = column.combine_chunks()
    return combined.chunk(0) if isinstance(combined, pa.ChunkedArray) else combined
