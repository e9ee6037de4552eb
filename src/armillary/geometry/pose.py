"""Where one frame stands in another."""

from armillary.robot.tree import Scalars, Tree
from armillary.spatial.transform import IDENTITY, Transform, walk


def outward_path(tree: Tree, a: int, b: int) -> tuple[list[int], list[int]]:
    """(inwards, outwards): the bodies to leave from a (a first) and to enter towards b (b last), either may be -1."""
    to_a, to_b = tree.path(a), tree.path(b)
    common = 0
    while common < min(len(to_a), len(to_b)) and to_a[common] == to_b[common]:
        common += 1
    return to_a[common:][::-1], to_b[common:]


def chain(tree: Tree, q: Scalars, bodies: list[int], last: Transform = IDENTITY) -> Transform:
    """ᵃT_b from the antecedent of the first body to the frame `last` in the last one, the turns of parallel axes joined."""
    return walk([step for k in bodies for step in tree.bodies[k].way(q)], last)


def pose(tree: Tree, q: Scalars, frame: str, reference: str) -> Transform:
    """ʳT_f: takes points of `frame` to points of `reference`."""
    (a, in_a), (b, in_b) = tree.frames[reference], tree.frames[frame]
    inwards, outwards = outward_path(tree, a, b)
    to_reference = chain(tree, q, inwards[::-1], in_a).inverse()
    return to_reference.then(chain(tree, q, outwards, in_b))
