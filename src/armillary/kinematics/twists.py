"""The twists of the joints on the way to a body, all seen from one frame: the columns of a Jacobian at any point.

With R, P the pose of the frame of joint k in the frame m, its twist (v, ω) moves a point at O_m by R v + P × R ω.
"""

from typing import Any

from armillary.geometry.pose import pose
from armillary.robot.tree import Scalars, Tree


def joint_twists(tree: Tree, q: Scalars, frame: str, seen_from: str) -> list[list[Any]]:
    """6 x nv: what each joint velocity does to the body of `frame`, at the origin and along the axes of `seen_from`."""
    J: list[list[Any]] = [[0] * tree.nv for _ in range(6)]
    for k in tree.path(tree.frames[frame][0]):
        here = tree.bodies[k]
        T = pose(tree, q, here.name, seen_from)
        for column, (v, w) in zip(range(tree.nv)[here.v], here.motion, strict=True):
            angular = T.rotation.apply(w)
            linear = T.rotation.apply(v) + T.position.cross(angular)
            for row, value in enumerate((*linear, *angular)):
                J[row][column] = value
    return J
