"""Where frames stand."""

from armillary.geometry.pose import pose as pose_of
from armillary.models.derivation import Derivation
from armillary.models.entry import Entry, Option
from armillary.robot import BASE

FRAME = Option("frame", "str | None", None, "the frame asked for; the tip, where there is one, if none is named")


def _pose(d: Derivation, frame: str | None, reference: str) -> None:
    name = d.frame(frame)
    T = pose_of(d.tree, d.q, name, d.frame(reference)).matrix()
    d.output("T", (4, 4), T, "", f"{name} in {reference}: [R p; 0 1], p in m")


POSE = Entry(
    name="pose",
    title="pose of a frame in another",
    equation="ᵣT_f = Π ⁱT_j along the way from the reference r to the frame f",
    source="Khalil (2010), eq. 1",
    inputs=("q",),
    outputs=("T",),
    build=_pose,
    options=(FRAME, Option("reference", "str", BASE, "the frame it is seen from")),
)
