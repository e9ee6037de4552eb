"""What the torques can tell of each link's inertial parameters: the linear combinations that any motion reveals.

A tree's equations of motion are known with its inertia matrix and its gravity torques,

    M_ij = φ_iᵀ I_i X_ij φ_j,    g_i = φ_iᵀ I_i X_i0 (-g)        j an antecedent of i, or i itself

φ a joint's twist, X_ij taking twists of body j to body i, and I_i the composite inertia of body i with all it carries,
whose ten parameters π_i = π_i(own) + Σ_c B_c(q_c) π_c are linear in those of the bodies c it carries. What stands
beside I_i depends on the joints inside of body i alone, I_i on those outside of it. So with the three row spaces

    A_i    the twists X_ij φ_j and (-g) that body i ever meets              ⊂ R⁶
    W_i    the functionals of π_i that any torque further in contains       ⊂ R¹⁰
    Z_i    those that must be known so that the torques are                 ⊂ R¹⁰

the torques are a function of Z_i π_i for all i, and of nothing less: they vanish where every φ_iᵀ I_i A_i does and where
no functional in W_a(i) changes with q_i. A joint's displacements are the group that its twists generate; with T the
joint's fixed placement and b_k the rate of π under φ_k, this is (closing: under all b_k, or for A under φ_k ×)

    A'_i = closure(X_T A_a(i)),    W'_i = closure(W_a(i) B_T)
    L_i  = {φ_kᵀ I a : a ∈ A'_i} + {φ_kᵀ I φ_l},    Z_i = L_i + Σ_k W'_i b_k
    A_i  = A'_i + φ_i,    W_i = W'_i + L_i

and the rank of the regressor is Σ dim Z_i. A rotor's inertia IA, where a joint has one
velocity, adds to φ_kᵀ I φ_k as an eleventh parameter.

The recursion is that of Wensing, Niemeyer and Slotine, "A geometric characterization of observability in inertial
parameter identification" (2017), written for joints of any kind and a base that moves. The rules of the textbooks
(Gautier and Khalil 1990) are cases of it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from armillary.robot.body import INERTIAL
from armillary.robot.joints import Twist
from armillary.robot.tree import Branch, Tree
from armillary.spatial.inertia import Inertia, parallel_axis
from armillary.spatial.matrix import Symmetric, skew, upper
from armillary.spatial.transform import IDENTITY, Step, Transform, walk
from armillary.spatial.vector import ZERO, Vector

Row = list[Any]


class Algebra(Protocol):
    """Linear algebra over the caller's scalars: the one place where they are compared."""

    def basis(self, rows: list[Row]) -> list[Row]:
        """Independent rows that span what `rows` do."""
        ...

    def reduced(self, rows: list[Row]) -> tuple[list[Row], list[int]]:
        """The same with an identity matrix in some columns, the first ones if nothing speaks against them; and which."""
        ...


ELEVEN = (*INERTIAL, "IA")
"""The parameters that can be grouped: those of the link and its rotor's inertia."""

COLUMNS = ("XX", "XY", "XZ", "YZ", "ZZ", "MX", "MY", "YY", "MZ", "M", "IA")
"""The order of the columns of Z, so that those of the parameters to be kept come first. Of a revolute joint that moves
freely YY, MZ and M go, as everywhere in the literature."""

_PLACES = [ELEVEN.index(name) for name in COLUMNS]


def unit_inertias() -> list[Inertia]:
    """Ten inertias, one of XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M being 1 and the others 0."""
    units = [[int(j == k) for j in range(len(INERTIAL))] for k in range(len(INERTIAL))]
    return [Inertia(Symmetric(*u[:6]), Vector(*u[6:9]), u[9]) for u in units]


UNITS = unit_inertias()
ALL_TWISTS: list[Row] = [[int(j == k) for j in range(6)] for k in range(6)]
ALL_FUNCTIONALS: list[Row] = [[int(j == k) for j in range(10)] for k in range(10)]


@dataclass(frozen=True)
class View:
    """How the torques see one body: bases of A and of W, and Z reduced, with the columns `COLUMNS` and pivots in some.

    `fixed` is the body's placement at the q where its joint leaves the fewest turns and shifts of it; no observable
    combination depends on which q that is.
    """

    twists: list[Row]
    kept: list[Row]
    seen: list[Row]
    pivots: list[int]
    fixed: Transform

    @cached_property
    def transport(self) -> list[Row]:
        """B_T by columns: what each of the body's ten parameters is among those of its antecedent."""
        return [list(unit.seen_from(self.fixed)) for unit in UNITS]


def views(tree: Tree, algebra: Algebra, rotors: bool) -> list[View]:
    """Each body as the torques see it, from the base outwards. What is 0 in the description is the integer 0 in the tree."""
    found: list[View] = []
    base = base_view(tree, algebra)
    freedoms: dict[tuple[Twist, ...], Freedom] = {}
    for body in tree.bodies:
        freedom = freedoms.setdefault(body.motion, Freedom(body.motion, algebra, rotors and len(body.motion) == 1))
        inner = base if body.parent < 0 else found[body.parent]
        found.append(_view(View(inner.twists, inner.kept, [], [], walk(reference_steps(body))), freedom))
    return found


def base_view(tree: Tree, algebra: Algebra) -> View:
    """The base's twists: gravity, and its own motion, free wherever the description has a component that is not 0.

    With angular velocity comes angular acceleration, and the inertia that a turning base feels must not change with q.
    """
    (_, spin), (push, twist) = tree.base_velocity, tree.base_acceleration
    spinning = [k for k in range(3) if _is_there(spin[k])]
    turning = [k for k in range(3) if _is_there(spin[k]) or _is_there(twist[k])]
    pushed = [k for k in range(3) if _is_there(push[k])]
    twists = [[*tree.gravity, 0, 0, 0], *(ALL_TWISTS[k] for k in pushed), *(ALL_TWISTS[3 + k] for k in turning)]
    products = [(unit_vector(i), unit_vector(j)) for i in spinning for j in spinning if i <= j]
    kept = [[a.dot(I.J.apply(b)) for I in UNITS] for a, b in products]
    return View(algebra.basis(twists), algebra.basis(kept), [], [], IDENTITY)


@dataclass(frozen=True)
class Freedom:
    """The twists φ_k of a kind of joint as maps of rows, made once for all joints that have them."""

    motion: tuple[Twist, ...]
    algebra: Algebra
    rotors: bool

    @cached_property
    def products(self) -> list[list[Row]]:
        """For each φ_k and each unit twist e the functional φ_kᵀ I e."""
        return [
            [list(column) for column in zip(*(_momentum(unit, phi) for unit in UNITS), strict=True)]
            for phi in self.motion
        ]

    @cached_property
    def rates(self) -> list[list[Row]]:
        """b_k by columns."""
        return [[list(rate(unit, phi)) for unit in UNITS] for phi in self.motion]

    @cached_property
    def own(self) -> list[Row]:
        """φ_kᵀ I φ_l, and the rotor's inertia where k = l."""
        along = [[*v, *w] for v, w in self.motion]
        return [
            [*_combined(psi, product), int(self.rotors and k == l)]
            for k, product in enumerate(self.products)
            for l, psi in enumerate(along)
        ]

    @cached_property
    def all_seen(self) -> tuple[list[Row], list[int]]:
        """Z of a body whose A and W have nothing left to grow."""
        return self.seen(ALL_TWISTS, ALL_FUNCTIONALS)

    def close_twists(self, rows: list[Row]) -> list[Row]:
        """The smallest space with `rows` that φ_k × takes into itself."""
        return _closed(rows, [_crossed(phi) for phi in self.motion], self.algebra)

    def close_functionals(self, rows: list[Row]) -> list[Row]:
        """The smallest space with `rows` that b_k takes into itself."""
        return _closed(rows, [_changed(r) for r in self.rates], self.algebra)

    def seen(self, twists: list[Row], kept: list[Row]) -> tuple[list[Row], list[int]]:
        """Z for given A' and W'."""
        met = [[*_combined(a, product), 0] for product in self.products for a in twists]
        changes = [[*_through(w, r), 0] for r in self.rates for w in kept]
        return self.algebra.reduced([[row[place] for place in _PLACES] for row in met + self.own + changes])

    def grow(self, twists: list[Row], kept: list[Row]) -> tuple[list[Row], list[Row]]:
        """A and W from A' and W'."""
        met = [_combined(a, product) for product in self.products for a in twists]
        own = [row[:-1] for row in self.own]
        along = [[*v, *w] for v, w in self.motion]
        return self.algebra.basis(twists + along), self.algebra.basis(kept + met + own)


def _view(inner: View, freedom: Freedom) -> View:
    """A body's view from its antecedent's A and W and its own placement, which `inner` brings together."""
    T = inner.fixed
    twists, kept = inner.twists, inner.kept
    if len(twists) < len(ALL_TWISTS):
        twists = freedom.close_twists([_seen_in(T, a) for a in twists])
    if len(kept) < len(ALL_FUNCTIONALS):
        kept = freedom.close_functionals([_through(w, inner.transport) for w in kept])
    if len(twists) == len(ALL_TWISTS) and len(kept) == len(ALL_FUNCTIONALS):
        return View(ALL_TWISTS, ALL_FUNCTIONALS, *freedom.all_seen, T)
    return View(*freedom.grow(twists, kept), *freedom.seen(twists, kept), T)


# ---- twists and functionals as rows ----


def rate(inertia: Inertia, phi: Twist) -> Inertia:
    """b π: how fast the inertia, seen from where its frame was, changes as the frame moves with the twist (v, ω).

    MS' = ω × MS + M v,    J' = ω^ J - J ω^ - (v^ MS^ + MS^ v^)
    """
    v, w = phi
    turned = skew(w).times(inertia.J.full())
    J = upper(turned + turned.T) + parallel_axis(v, inertia.MS, inertia.MS)
    return Inertia(J, w.cross(inertia.MS) + v * inertia.M, 0)


def _momentum(inertia: Inertia, twist: Twist) -> Row:
    """I φ."""
    f, n = inertia.times(*twist)
    return [*f, *n]


def _seen_in(T: Transform, twist: Row) -> Row:
    """A twist (v, ω) of frame a in frame b, for T = ᵃT_b: (Rᵀ (v + ω × P), Rᵀ ω)."""
    v, w = Vector(*twist[:3]), Vector(*twist[3:])
    return [*T.rotation.apply_inverse(v + w.cross(T.position)), *T.rotation.apply_inverse(w)]


def _crossed(phi: Twist) -> Callable[[Row], Row]:
    """a → φ × a."""
    v, w = phi

    def crossed(a: Row) -> Row:
        linear, angular = Vector(*a[:3]), Vector(*a[3:])
        return [*(w.cross(linear) + v.cross(angular)), *w.cross(angular)]

    return crossed


def _changed(rates: list[Row]) -> Callable[[Row], Row]:
    """w → w b, for b given by its columns."""
    return lambda row: _through(row, rates)


def _through(row: Row, columns: list[Row]) -> Row:
    """The functional of π that `row` is of B π, for B given by its columns."""
    present = [(k, x) for k, x in enumerate(row) if _is_there(x)]
    return [_sum(x * column[k] for k, x in present if _is_there(column[k])) for column in columns]


def _combined(coefficients: Row, rows: list[Row]) -> Row:
    """Σ coefficient · row."""
    present = [(x, row) for x, row in zip(coefficients, rows, strict=True) if _is_there(x)]
    return [_sum(x * row[k] for x, row in present if _is_there(row[k])) for k in range(len(rows[0]))]


def _sum(terms: Iterable[Any]) -> Any:
    total: Any = 0
    for term in terms:
        total = total + term
    return total


def _closed(rows: list[Row], maps: list[Callable[[Row], Row]], algebra: Algebra) -> list[Row]:
    """The smallest space that contains `rows` and is taken into itself by every map."""
    basis = algebra.basis(rows)
    size = 0
    while size < len(basis):
        size = len(basis)
        basis = algebra.basis(basis + [m(row) for row in basis for m in maps])
    return basis


def _is_there(x: Any) -> bool:
    """Whether a scalar is more than a structural zero."""
    return not isinstance(x, int) or x != 0


def unit_vector(k: int) -> Vector:
    """x, y or z."""
    return Vector(*(int(j == k) for j in range(3)))


def reference_steps(body: Branch) -> list[Step]:
    """The placement without the turn and shift at its end that the joint makes up for at another q.

    Turns about z and shifts along z commute, so they may be looked for behind each other.
    """
    rest, end = list(body.steps), list[Step]()
    while rest and rest[-1][0] in ("Rz", "Tz"):
        step = rest.pop()
        along = (ZERO, unit_vector(2)) if step[0] == "Rz" else (unit_vector(2), ZERO)
        if along not in body.motion:
            end.insert(0, step)
    return rest + end
