"""Where frames stand."""

from armillary.expr.fourier import factored
from armillary.geometry.pose import pose as pose_of
from armillary.models.derivation import Derivation
from armillary.models.entry import Entry, Option
from armillary.robot import BASE

FRAME = Option("frame", "str | None", None, "the frame asked for; the tip, where there is one, if none is named")


SHARED, WRITTEN_OUT = "shared", "written-out"


def _pose(d: Derivation, frame: str | None, reference: str, form: str) -> None:
    name = d.frame(frame)
    T = pose_of(d.tree, d.q, name, d.frame(reference)).matrix()
    if form == WRITTEN_OUT:
        T = [[factored(d.graph.lift(x)) for x in row] for row in T]
    d.output("T", (4, 4), T, "", f"{name} in {reference}: [R p; 0 1], p in m")


POSE = Entry(
    name="pose",
    title="pose of a frame in another",
    equation="ᵣT_f = Π ⁱT_j along the way from the reference r to the frame f",
    source="Khalil (2010), eq. 1",
    inputs=("q",),
    outputs=("T",),
    build=_pose,
    loops="too",
    options=(
        FRAME,
        Option("reference", "str", BASE, "the frame it is seen from"),
        Option(
            "form",
            "str",
            SHARED,
            "products shared between elements, the fewest operations; or every element written out on its own",
            (SHARED, WRITTEN_OUT),
        ),
    ),
)
