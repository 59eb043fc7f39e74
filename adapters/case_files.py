"""A case on disk: a folder of .npy arrays and case.json, the form in which cases reach a worker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Dict, Optional

import numpy as np

from reference.case import Case

ARRAYS = (
    "recommended", "judged_indptr", "judged_items", "judged_gains",
    "scores", "candidate_scores", "train_indptr", "train_items",
    "item_counts", "item_vectors", "predicted_ratings",
)  # fmt: skip


def save_case(case: Case, folder: Path) -> Dict[str, Path]:
    """Write the arrays of a case into a folder; returns the path of each array that the case has."""
    folder.mkdir(parents=True, exist_ok=True)
    written = {}
    for name in ARRAYS:
        array = getattr(case, name)
        if array is not None:
            written[name] = folder / f"{name}.npy"
            np.save(written[name], array)
    train_users = None if case.n_train_users is None else int(case.n_train_users)
    settings = {"n_items": int(case.n_items), "threshold": float(case.threshold), "n_train_users": train_users}
    (folder / "case.json").write_text(json.dumps(settings), encoding="utf-8")
    return written


def load_case(folder: Path) -> Case:
    """Read a case back. Arrays are mapped copy-on-write: a library that writes into its input changes no file."""
    settings = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    arrays = {name: _load(folder / f"{name}.npy") for name in ARRAYS}
    return Case(**settings, **arrays)  # type: ignore[arg-type]


def _load(path: Path) -> Optional[np.ndarray]:
    if not path.exists():
        return None
    array = (
        np.load(path, allow_pickle=False)
        if path.stat().st_size < 1 << 20
        else np.load(path, mmap_mode="c", allow_pickle=False)
    )
    return np.asarray(array)
