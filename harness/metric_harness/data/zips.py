"""A file inside a zip as a stream; one that cannot be unpacked, or unpacks to far too much, is refused unread."""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from metric_harness.system.errors import HarnessError
from metric_harness.system.limits import require_size

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA)
"""Not bzip2: Python unpacks whatever it reads of it at once, and some bytes may be 50 MB."""
NAMES_OF_METHODS = {9: "Deflate64", 12: "bzip2", 93: "Zstandard", 95: "XZ", 97: "WavPack", 98: "PPMd", 99: "AES"}
ENCRYPTED_FLAG = 0x1
SMALLEST_CHECKED = 64 << 20
"""Bytes of an unpacked member up to which its size is not checked."""
LARGEST_RATIO = 50
"""Ratings unpack to three to six times their size."""
PIECE, LZMA_PIECE = 1 << 20, 4 << 10
"""Bytes read at once. Python unpacks LZMA without a bound, to 7,000 times what it reads."""
DAMAGE_ERRORS = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, OSError, ValueError, KeyError)
REMEDY = "unpack it yourself and name the file inside"


def members_of(path: Path) -> list[str]:
    """The names of the files in a zip; HarnessError if it is none."""
    try:
        with zipfile.ZipFile(path) as archive:
            return [name for name in archive.namelist() if not name.startswith("__MACOSX") and not name.endswith("/")]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise HarnessError(f"{path}: not a readable zip ({error}); fetch it again") from None


def open_member(path: Path, member: str) -> IO[bytes]:
    """A member as a stream whose errors are HarnessErrors.

    HarnessError if it is encrypted, packed by a method that Python lacks, or unpacks to more than ratings can.
    """
    label = f"{path}:{member}"
    with _errors(label):
        archive = zipfile.ZipFile(path)
        info = archive.getinfo(member)
        if info.flag_bits & ENCRYPTED_FLAG:
            raise HarnessError(f"{label}: it is encrypted; {REMEDY}")
        if info.compress_type not in METHODS:
            name = NAMES_OF_METHODS.get(info.compress_type, "unknown")
            raise HarnessError(f"{label}: it is packed by method {info.compress_type} ({name}); {REMEDY}")
        require_size(label, info.file_size, inside=True)
        packed = min(info.compress_size, path.stat().st_size)
        if info.file_size > max(SMALLEST_CHECKED, LARGEST_RATIO * packed):
            raise HarnessError(
                f"{label}: {packed / 2**20:,.1f} MiB that unpack to {info.file_size / 2**20:,.0f} MiB, which ratings "
                f"do not; if they are ratings, {REMEDY}"
            )
        return io.BufferedReader(_Member(archive, info, label), 1 << 20)


class _Member(io.RawIOBase):
    """The bytes of a member; zipfile reads at most the size in the zip's directory, and checks the CRC."""

    def __init__(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, label: str) -> None:
        self.archive, self.label = archive, label
        self.stream = archive.open(info)
        self.piece = LZMA_PIECE if info.compress_type == zipfile.ZIP_LZMA else PIECE

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with _errors(self.label):
            data = self.stream.read(min(len(buffer), self.piece))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self.stream.close()
            self.archive.close()
        super().close()


@contextmanager
def _errors(label: str) -> Iterator[None]:
    """Turn what zipfile and the decompressors raise for damaged bytes into a HarnessError."""
    try:
        yield
    except DAMAGE_ERRORS as error:
        raise HarnessError(f"{label}: damaged inside the zip ({error}); fetch it again") from None
