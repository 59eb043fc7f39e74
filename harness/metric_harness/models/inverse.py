"""The inverse of a positive definite matrix in place, by LAPACK; in halves where a matrix is too large for it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import get_lapack_funcs

LARGEST_FOR_LAPACK = 16_384
"""Order up to which LAPACK is called as it is. OpenBLAS with two threads on processors with AVX-512 ends the process
(segmentation fault in potrf) from an order of about 22,660 on: its issue 2562, seen with 0.3.30."""
COLUMNS_AT_ONCE = 1024
MIRRORED_AT_ONCE = 128
"""A transposed copy reads and writes in different orders: blocks so small stay in a processor's caches."""


def invert_lower(square: np.ndarray) -> int:
    """Turn the lower triangle of a matrix into that of its inverse; what is above it is arbitrary, before and after.

    A matrix larger than ``LARGEST_FOR_LAPACK`` is inverted by its halves, with Z = inverse(A) B^T and S = D - B Z:

        [A  B^T]            [inverse(A) + Z inverse(S) Z^T   ...       ]
        [B  D  ]  becomes   [-inverse(S) Z^T                 inverse(S)]

    That takes as many operations as potrf and potri, and half a matrix of memory beside it.

    square : float32 or float64 array in Fortran order, symmetric, positive definite.

    Returns LAPACK's ``info``: 0 if all went well, else the order of the leading part that is not positive definite.
    """
    size = len(square)
    if size <= LARGEST_FOR_LAPACK:
        factorise, invert = get_lapack_funcs(("potrf", "potri"), (square,))
        result, failed = factorise(square, lower=1, clean=0, overwrite_a=1)
        if failed == 0:
            result, failed = invert(result, lower=1, overwrite_c=1)
        if not np.shares_memory(result, square):
            square[...] = result
        return int(failed)
    half = size // 2
    first, below, second = square[:half, :half], square[half:, :half], square[half:, half:]
    corner = np.array(first, order="F")
    if failed := invert_lower(corner):
        return failed
    mirror_lower(corner)
    between = corner @ below.T
    first[...] = corner
    del corner
    schur = np.array(second, order="F")
    for part in blocks(size - half):
        schur[part.start :, part] -= below[part.start :] @ between[:, part]
    if failed := invert_lower(schur):
        return half + failed
    mirror_lower(schur)
    second[...] = schur
    for part in blocks(size - half):
        below[part] = -(schur[part] @ between.T)
    del schur
    for part in blocks(half):
        first[part.start :, part] -= between[part.start :] @ below[:, part]
    return 0


def mirror_lower(square: np.ndarray) -> None:
    """Copy the lower triangle onto the upper one, block by block."""
    for part in blocks(len(square), MIRRORED_AT_ONCE):
        corner = square[part, part]
        corner[...] = np.tril(corner) + np.tril(corner, -1).T
        square[part, part.stop :] = square[part.stop :, part].T


def blocks(size: int, width: int = 0) -> Iterator[slice]:
    """Slices of at most ``width`` (``COLUMNS_AT_ONCE``) that cover ``size``."""
    width = width or COLUMNS_AT_ONCE
    for start in range(0, size, width):
        yield slice(start, min(start + width, size))
