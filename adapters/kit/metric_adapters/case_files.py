"""A case on disk, as a worker gets it: a folder of .npy arrays and case.json.

A small case may have its arrays in case.json itself: an audit asks hundreds, and one file is faster than seven.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, Optional

import numpy as np

from metric_reference.case import Case

ARRAYS = (
    "recommended",
    "judged_indptr",
    "judged_items",
    "judged_gains",
    "scores",
    "candidate_scores",
    "train_indptr",
    "train_items",
    "item_counts",
    "item_vectors",
    "predicted_ratings",
)


def save_case(case: Case, folder: Path) -> Dict[str, Path]:
    """Write the arrays of a case into a folder; returns the path of each array that the case has."""
    folder.mkdir(parents=True, exist_ok=True)
    written = {}
    for name in ARRAYS:
        array = getattr(case, name)
        if array is not None:
            written[name] = folder / f"{name}.npy"
            np.save(written[name], array)
    (folder / "case.json").write_text(json.dumps(_settings(case)), encoding="utf-8")
    return written


def save_small_case(case: Case, folder: Path) -> None:
    """Write a case into a folder as one file; an earlier small case there is overwritten."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays = {name: getattr(case, name) for name in ARRAYS}
    as_json = {
        name: {"dtype": array.dtype.str, "shape": array.shape, "items": array.ravel().tolist()}
        for name, array in arrays.items()
        if array is not None
    }
    text = json.dumps({**_settings(case), "arrays": as_json})
    (folder / "case.json").write_text(text, encoding="utf-8")


def _settings(case: Case) -> Dict[str, Any]:
    train_users = None if case.n_train_users is None else int(case.n_train_users)
    return {"n_items": int(case.n_items), "threshold": float(case.threshold), "n_train_users": train_users}


def load_case(folder: Path) -> Case:
    """Read a case back. Arrays are mapped copy-on-write: a library that writes into its input changes no file."""
    settings = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    as_json = settings.pop("arrays", None)
    if as_json is None:
        arrays = {name: _load(folder / f"{name}.npy") for name in ARRAYS}
    else:
        arrays = {name: _read(as_json[name]) if name in as_json else None for name in ARRAYS}
    return Case(**settings, **arrays)  # type: ignore[arg-type]


def _read(array: Dict[str, Any]) -> np.ndarray:
    return np.array(array["items"], dtype=array["dtype"]).reshape(array["shape"])


def _load(path: Path) -> Optional[np.ndarray]:
    if not path.exists():
        return None
    small = path.stat().st_size < 1 << 20
    return np.asarray(np.load(path, mmap_mode=None if small else "c", allow_pickle=False))
