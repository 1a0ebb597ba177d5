"""The linear algebra, against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.errors import RatingError
from spielleiter.rating.linear import cholesky, inverse, solve


@given(st.integers(1, 8), st.integers(0, 10_000))
def test_numpy_agrees(size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(size, size))
    matrix = root @ root.T + np.eye(size)
    right = rng.normal(size=size)
    lower = cholesky(matrix.tolist())
    for row, theirs in enumerate(np.linalg.cholesky(matrix)):
        assert lower[row] == pytest.approx(theirs[: row + 1])
    assert solve(lower, right.tolist()) == pytest.approx(np.linalg.solve(matrix, right))
    assert np.array(inverse(lower)) == pytest.approx(np.linalg.inv(matrix))


def test_a_matrix_that_is_not_positive_is_refused() -> None:
    with pytest.raises(RatingError, match="not positive"):
        cholesky([[1.0, 2.0], [2.0, 1.0]])
