"""The little linear algebra that ratings need: symmetric positive matrices, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul

from spielleiter.errors import RatingError

Matrix = list[list[float]]


def cholesky(matrix: Sequence[Sequence[float]]) -> Matrix:
    """The lower triangle L with L L' = ``matrix``; raises ``RatingError`` if the matrix is not positive."""
    lower: Matrix = []
    for i, row in enumerate(matrix):
        built: list[float] = []
        for j in range(i):
            # map stops with the shorter one: the sum runs over the columns before j.
            built.append((row[j] - sum(map(mul, built, lower[j][:j]))) / lower[j][j])
        rest = row[i] - sum(map(mul, built, built))
        if rest <= 0:
            raise RatingError("the games do not tie the ratings together: the matrix is not positive")
        built.append(math.sqrt(rest))
        lower.append(built)
    return lower


def solve(lower: Matrix, right: Sequence[float]) -> list[float]:
    """The x with L L' x = ``right``, for the triangle L of ``cholesky``."""
    size = len(lower)
    half: list[float] = []
    for i in range(size):
        half.append((right[i] - sum(map(mul, lower[i], half))) / lower[i][i])
    result = half[:]
    for i in reversed(range(size)):
        result[i] /= lower[i][i]
        for j in range(i):
            result[j] -= lower[i][j] * result[i]
    return result


def inverse(lower: Matrix) -> Matrix:
    """The inverse of the matrix whose triangle is L."""
    size = len(lower)
    return [solve(lower, [1.0 if i == j else 0.0 for i in range(size)]) for j in range(size)]
