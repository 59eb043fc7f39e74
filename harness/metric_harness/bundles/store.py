"""A bundle on disk: .npy arrays, and manifest.json, which is written last and holds the SHA-256 of every array."""

from __future__ import annotations

import json
import platform
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import filelock
import numpy as np
import pandas as pd
import scipy

from metric_adapters.case_files import ARRAYS, load_case, save_case
from metric_harness.bundles.user_sample import FOLDER, SEED, Sample
from metric_harness.data.files import digest_of
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.version import __version__
from metric_reference.case import Case
from metric_reports.files import write_atomically
from metric_reports.record import RecordError, validate_manifest
from metric_reports.types.manifest import About, Array, Files, HashedFile, Manifest
from metric_reports.types.manifest import Sample as SampleFiles

FORMAT = 2
MANIFEST = "manifest.json"
ID_ARRAYS = ("user_ids", "item_ids")


@dataclass(frozen=True, eq=False)
class Bundle:
    """A case frozen on disk.

    user_ids, item_ids : the data's ids of the case's users 0..users-1 and items 0..n_items-1 (int64 or text).
    manifest : what it holds and how it was made.
    sample : if the scores of all items take too much space, the users whose scores are kept, as a case of their own.
    """

    folder: Path
    case: Case
    manifest: Manifest
    user_ids: np.ndarray
    item_ids: np.ndarray
    sample: Sample | None = None


@dataclass(frozen=True, eq=False)
class Content:
    """What to store: the case, the ids, and the manifest's description of their origin.

    counts : the manifest's counts besides users, items and pairs of the case.
    """

    case: Case
    user_ids: np.ndarray
    item_ids: np.ndarray
    about: About
    sample: Sample | None = None
    counts: dict[str, int] = field(default_factory=dict)


def reuse_or_build(folder: Path, recipe: dict[str, Any], build: Callable[[], Content], reporter: Reporter) -> Bundle:
    """The bundle in ``folder`` if it was made by the same recipe, else a new one that replaces it.

    HarnessError if a stored array is missing or changed, or if the folder cannot be written.
    """
    recipe = {"format": FORMAT, **recipe}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(folder / ".lock"):
            if _stored_recipe(folder) == recipe:
                bundle = load_bundle(folder)
                reporter.detail(f"Bundle reused: {folder} was made by the same recipe and its hashes hold.")
                return bundle
            content = build()
            _clear(folder)
            manifest = _write(folder, recipe, content)
            reporter.detail(f"Bundle built: {folder}")
            return _open(folder, manifest)
    except OSError as error:
        raise HarnessError(
            f"{folder}: the bundle cannot be written ({error}); free space or choose another folder"
        ) from None


def load_bundle(folder: Path) -> Bundle:
    """Open a bundle after checking the SHA-256 of each of its files; arrays are memory-mapped.

    HarnessError names the file that is missing, changed or not part of the bundle.
    """
    manifest = _read_manifest(folder)
    try:
        validate_manifest(manifest, str(folder / MANIFEST))
    except RecordError as error:
        raise HarnessError(f"{error}; {_remedy(folder)}") from None
    for entry in _file_entries(manifest):
        path = folder / entry["file"]
        if not path.is_file():
            raise HarnessError(f"{path}: the file is missing from the bundle; {_remedy(folder)}")
        if digest_of(path) != entry["sha256"]:
            raise HarnessError(f"{path}: the file has changed since the bundle was made (SHA-256); {_remedy(folder)}")
    for name in ARRAYS:
        if name not in manifest["arrays"] and (folder / f"{name}.npy").exists():
            raise HarnessError(f"{folder / f'{name}.npy'}: the file is not part of the bundle; remove it")
    return _open(folder, manifest)


def _file_entries(manifest: Manifest) -> list[HashedFile]:
    """The manifest's entry for every file of a bundle."""
    cases = [manifest, *([manifest["sample"]] if "sample" in manifest else [])]
    return [entry for case in cases for entry in (*case["arrays"].values(), case["settings"])]


def _remedy(folder: Path) -> str:
    return f"delete the folder {folder} and run again, then the bundle is built anew"


def _open(folder: Path, manifest: Manifest) -> Bundle:
    user_ids, item_ids = (np.load(folder / f"{name}.npy", allow_pickle=False) for name in ID_ARRAYS)
    sample = None
    if "sample" in manifest:
        sample = Sample(load_case(folder / FOLDER), np.load(folder / FOLDER / "users.npy", allow_pickle=False))
    return Bundle(folder, load_case(folder), manifest, user_ids, item_ids, sample)


def _read_manifest(folder: Path) -> Manifest:
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        what = "no such file, so the folder holds no finished bundle"
        raise HarnessError(f"{path}: {what}; name DIR/bundle of a comparison, or compare anew") from None
    except (ValueError, RecursionError, OSError) as error:
        raise HarnessError(f"{path}: not JSON ({error}); {_remedy(folder)}") from None
    return manifest


def _stored_recipe(folder: Path) -> Any:
    """The recipe of the bundle in a folder; None without a finished bundle."""
    if not (folder / MANIFEST).exists():
        return None
    manifest = _read_manifest(folder)
    return manifest.get("recipe") if isinstance(manifest, dict) else None


def _clear(folder: Path) -> None:
    """Remove an earlier bundle, its manifest first, so that a crash leaves no manifest with wrong arrays."""
    for name in (MANIFEST, "case.json", *(f"{array}.npy" for array in (*ARRAYS, *ID_ARRAYS))):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / FOLDER, ignore_errors=True)


def _write(folder: Path, recipe: dict[str, Any], content: Content) -> Manifest:
    """Write all files of a bundle, the manifest last."""
    files = save_case(content.case.check(), folder)
    for name, ids in zip(ID_ARRAYS, (content.user_ids, content.item_ids), strict=True):
        files[name] = folder / f"{name}.npy"
        np.save(files[name], ids if ids.dtype.kind == "i" else ids.astype(str))
    case = content.case
    counts = {
        "users": case.users,
        "items": case.n_items,
        "judged": len(case.judged_items),
        "relevant": int(case.relevant.sum()),
        "recommended": int(case.list_lengths.sum()),
    }
    fields = {
        "format": FORMAT,
        "recipe": recipe,
        **content.about,
        "counts": {**counts, **content.counts},
        **_case_entries(files, folder),
        **({"sample": _write_sample(content.sample, case.users, folder)} if content.sample is not None else {}),
        "versions": {
            "python": platform.python_version(),
            "numpy": np.__version__,
            "scipy": scipy.__version__,
            "pandas": pd.__version__,
            "harness": __version__,
        },
    }
    manifest: Manifest = json.loads(json.dumps(fields, allow_nan=False))
    validate_manifest(manifest)
    write_atomically(folder / MANIFEST, json.dumps(manifest, indent=1) + "\n")
    return manifest


def _write_sample(sample: Sample, users: int, folder: Path) -> SampleFiles:
    files = save_case(sample.case.check(), folder / FOLDER)
    files["users"] = folder / FOLDER / "users.npy"
    np.save(files["users"], sample.users)
    entries = _case_entries(files, folder, FOLDER)
    return {"users": len(sample.users), "of": users, "seed": SEED, **entries}


def _case_entries(files: dict[str, Path], folder: Path, inside: str = "") -> Files:
    """The manifest's entries for a case's arrays and settings; ``inside``: the folder in the bundle that holds them."""
    settings = folder / inside / "case.json"
    return {
        "arrays": {name: _array_entry(path, folder) for name, path in files.items()},
        "settings": {"file": settings.relative_to(folder).as_posix(), "sha256": digest_of(settings)},
    }


def _array_entry(path: Path, folder: Path) -> Array:
    array = np.load(path, mmap_mode="r", allow_pickle=False)
    return {
        "file": path.relative_to(folder).as_posix(),
        "sha256": digest_of(path),
        "shape": list(array.shape),
        "dtype": str(array.dtype),
    }
