"""Block-triangular forms of random patterns, against what random numbers in these places do."""

import numpy as np
import pytest

from armillary.spatial.blocks import components, connected, independent_blocks, triangular_blocks
from armillary.spatial.linear import solve_in_blocks


def drawn(seed: int) -> np.ndarray:
    """Random numbers at random places, at least as many columns as rows."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 10))
    shape = n, n + int(rng.integers(3)) * (seed % 2)
    return np.where(rng.uniform(size=shape) < rng.uniform(0.15, 0.6), rng.uniform(0.5, 2, shape), 0)


def test_none_where_zeros_make_the_rows_dependent() -> None:
    """The generic rank of a pattern is that of random numbers in it."""
    singular = 0
    for seed in range(400):
        A = drawn(seed)
        full = np.linalg.matrix_rank(A) == len(A)
        assert (triangular_blocks((A != 0).tolist()) is not None) == full
        singular += not full
    assert 50 < singular < 350
    with pytest.raises(AssertionError, match="independent"):
        independent_blocks([[True, False], [True, False]])


def test_blocks_are_in_order_and_as_small_as_can_be() -> None:
    """Rows have nothing beyond their own block and those before; the inverse of a square block has no zero, so that it cannot be divided."""
    divided = wide = 0
    for seed in range(400):
        A = drawn(seed)
        blocks = triangular_blocks((A != 0).tolist())
        if blocks is None:
            continue
        assert sorted(i for rows, _ in blocks for i in rows) == list(range(len(A)))
        columns = [j for _, part in blocks for j in part]
        assert sorted(columns) == np.flatnonzero(A.any(axis=0)).tolist()
        known: list[int] = []
        for rows, part in blocks:
            known += part
            assert not np.delete(A[list(rows)], known, axis=1).any()
            if len(rows) == len(part):
                assert np.abs(np.linalg.inv(A[np.ix_(rows, part)])).min() > 1e-12
            else:
                assert len(rows) < len(part) and len(connected((A[np.ix_(rows, part)] != 0).tolist())) == 1
                wide += 1
        divided += len(blocks) > 1
    assert divided > 50 and wide > 30


def test_solving_in_blocks_is_solving_with_the_least_norm() -> None:
    rng = np.random.default_rng(0)
    for seed in range(400):
        A = drawn(seed)
        blocks = triangular_blocks((A != 0).tolist())
        if blocks is None or np.linalg.cond(A) > 1e4:
            continue
        right = rng.normal(size=(len(A), 2))
        found = np.array(solve_in_blocks(A.tolist(), right.tolist(), blocks), dtype=float)
        expected = np.linalg.lstsq(A, right, rcond=None)[0]
        assert np.allclose(found, expected, rtol=0, atol=1e-9 * np.linalg.norm(expected))


def test_components_come_after_what_they_need() -> None:
    assert components([{2}, {0}, set(), {1, 4}, {3}]) == [[2], [0], [1], [3, 4]]
    assert components([]) == [] and triangular_blocks([]) == []


def test_connected_rows() -> None:
    assert connected([[True, True, False], [False, False, True], [False, True, False]]) == [[0, 2], [1]]
