"""The inverse of a positive definite matrix in place, by LAPACK; by halves if the matrix is too large for it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import get_lapack_funcs

LARGEST_FOR_LAPACK = 16_384
"""Order up to which LAPACK is called on the whole matrix. OpenBLAS with two threads on processors with AVX-512 crashes
(segmentation fault in potrf) from an order of about 22,660 on: its issue 2562, seen with 0.3.30."""
COLUMNS_AT_ONCE = 1024
MIRRORED_AT_ONCE = 128
"""A transposed copy reads and writes in different orders; blocks of this size fit into a processor's caches."""


def invert_lower(square: np.ndarray) -> int:
    """Replace the lower triangle of a matrix by that of its inverse; the entries above it are arbitrary throughout.

    A matrix larger than ``LARGEST_FOR_LAPACK`` is inverted by its halves, with Z = inverse(A) B^T and S = D - B Z:

        [A  B^T]            [inverse(A) + Z inverse(S) Z^T   ...       ]
        [B  D  ]  becomes   [-inverse(S) Z^T                 inverse(S)]

    This takes as many operations as potrf and potri, and the memory of half a matrix besides.

    square : float32 or float64 array in Fortran order, symmetric, positive definite.

    Returns LAPACK's ``info``: 0 for success, else the order of the leading part that is not positive definite.
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
    product = corner @ below.T
    first[...] = corner
    del corner
    schur = np.array(second, order="F")
    for block in blocks(size - half):
        schur[block.start :, block] -= below[block.start :] @ product[:, block]
    if failed := invert_lower(schur):
        return half + failed
    mirror_lower(schur)
    second[...] = schur
    for block in blocks(size - half):
        below[block] = -(schur[block] @ product.T)
    del schur
    for block in blocks(half):
        first[block.start :, block] -= product[block.start :] @ below[:, block]
    return 0


def mirror_lower(square: np.ndarray) -> None:
    """Copy the lower triangle onto the upper one, block by block."""
    for block in blocks(len(square), MIRRORED_AT_ONCE):
        diagonal_block = square[block, block]
        diagonal_block[...] = np.tril(diagonal_block) + np.tril(diagonal_block, -1).T
        square[block, block.stop :] = square[block.stop :, block].T


def blocks(size: int, width: int = 0) -> Iterator[slice]:
    """Slices of at most ``width`` (``COLUMNS_AT_ONCE``) that cover ``size``."""
    width = width or COLUMNS_AT_ONCE
    for start in range(0, size, width):
        yield slice(start, min(start + width, size))
