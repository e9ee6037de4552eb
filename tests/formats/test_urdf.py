"""URDF against Pinocchio's reader and algorithms: frames, Jacobians, wrenches, dynamics; and what each element means."""

import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.dynamics.newton_euler import newton_euler
from armillary.errors import ArmillaryError, FormatError
from armillary.expr.numbers import PI, PiMultiple
from armillary.formats import urdf
from armillary.geometry.pose import pose
from armillary.kinematics.jacobian import Route, jacobian
from armillary.kinematics.motion import base_motion
from armillary.robot import Description, Limits, Tree, tree, value
from armillary.robot.coupling import Coupling
from armillary.robot.place import pose as place_pose
from reference.random_urdf import Floats, numbers, random_urdf


@dataclass
class Pair:
    """One file, read by both."""

    ours: Description
    tree: Tree
    model: pin.Model
    data: pin.Data
    root: str

    def q(self, q: Floats) -> Floats:
        """Our q as Pinocchio's, which keeps the cosine and sine of a continuous joint."""
        out = pin.neutral(self.model)
        for name, x in zip(self.ours.q_names, q, strict=True):
            j = self.model.joints[self.model.getJointId(name)]
            out[j.idx_q : j.idx_q + j.nq] = [x] if j.nq == 1 else [math.cos(x), math.sin(x)]
        return out

    @property
    def places(self) -> list[int]:
        """Where each of our velocities stands in Pinocchio's."""
        return [self.model.joints[self.model.getJointId(name)].idx_v for name in self.ours.joint_names]

    def v(self, v: Floats) -> Floats:
        out = np.zeros(self.model.nv)
        out[self.places] = v
        return out


def both(text: str, root: str = "base_link", **options: float) -> Pair:
    ours = urdf.read(text, **options)
    model = pin.buildModelFromXML(text)
    return Pair(ours, tree(ours, float), model, model.createData(), root)


def matrix(T: object) -> Floats:
    return np.array([[float(x) for x in row] for row in T.matrix()])  # type: ignore[attr-defined]


def state(rng: np.random.Generator, pair: Pair) -> tuple[Floats, Floats, Floats]:
    n = pair.ours.nv
    return rng.uniform(-3, 3, n), rng.normal(size=n), rng.normal(size=n)


def close(a: Floats, b: Floats, tolerance: float = 1e-9) -> bool:
    """|a - b| <= tolerance max(1, |b|)."""
    return bool(np.linalg.norm(np.asarray(a) - b) <= tolerance * max(1.0, float(np.linalg.norm(b))))


def check_frames(pair: Pair, q: Floats) -> None:
    """Pose and Jacobian of every link, in the root's frame."""
    theirs = pair.q(q)
    pin.forwardKinematics(pair.model, pair.data, theirs)
    pin.updateFramePlacements(pair.model, pair.data)
    if pair.ours.nv:  # with no joint at all Pinocchio's Jacobians crash
        pin.computeJointJacobians(pair.model, pair.data, theirs)
    links = [f for f in pair.model.frames if f.type == pin.FrameType.BODY]
    assert {f.name for f in links} <= set(pair.ours.frame_names)
    for frame in links:
        k = pair.model.getFrameId(frame.name, pin.FrameType.BODY)
        assert close(matrix(pose(pair.tree, q, frame.name, pair.root)), pair.data.oMf[k].homogeneous), frame.name
        if not pair.ours.nv:
            continue
        J = np.array(jacobian(pair.tree, q, frame.name, pair.root, Route("base", 0)), dtype=float).reshape(6, -1)
        expected = np.reshape(pin.getFrameJacobian(pair.model, pair.data, k, pin.LOCAL_WORLD_ALIGNED), (6, -1))
        assert close(J, expected[:, pair.places]), frame.name


def check_dynamics(pair: Pair, q: Floats, v: Floats, a: Floats) -> None:
    """Torques, the wrench through every joint, and the mass matrix."""
    theirs = pair.q(q)
    tau = pin.rnea(pair.model, pair.data, theirs, pair.v(v), pair.v(a))[pair.places]
    lost = np.array([float(b.FV) for b in pair.ours.bodies]) * v
    lost += np.array([float(b.FS) for b in pair.ours.bodies]) * np.sign(v)
    found = newton_euler(pair.tree, q, v, a, base_motion(pair.tree))
    assert close(np.array(found.torques, dtype=float), tau + lost)
    for body, (f, n) in zip(pair.tree.bodies, found.wrenches, strict=True):
        k = pair.model.getJointId(pair.ours.body(body.name).joint_name)
        child = next(
            f.name
            for f in pair.model.frames
            if f.type == pin.FrameType.BODY and f.parentJoint == k and np.allclose(f.placement.homogeneous, np.eye(4))
        )
        f, n = pose(pair.tree, q, body.name, child).force(f, n)
        assert close(np.array([*f, *n], dtype=float), pair.data.f[k].vector), body.name
    M = pin.crba(pair.model, pair.data, theirs)
    M = np.reshape(M, (len(q), len(q)))
    M = np.triu(M) + np.triu(M, 1).T
    ours = np.array(inertia_matrix(pair.tree, q), dtype=float).reshape(len(q), len(q))
    assert close(ours, M[np.ix_(pair.places, pair.places)])


@pytest.mark.parametrize("seed", range(300))
def test_random_trees_agree_with_pinocchio(seed: int) -> None:
    rng = np.random.default_rng(seed)
    root = ("base_link", "base", "world", "root")[seed % 4]
    pair = both(random_urdf(rng, int(rng.integers(1, 13)), root=root), root)
    assert sorted(pair.ours.joint_names) == sorted(pair.model.names[1:])
    assert pair.ours.nv == pair.model.nv
    for _ in range(2):
        q, v, a = state(rng, pair)
        check_frames(pair, q)
        if pair.ours.nv:
            check_dynamics(pair, q, v, a)


# ---- axes that nearly agree, long chains, large robots ----


@pytest.mark.parametrize("tilt", [0.0, 1e-13, 1e-12, 1e-11, 1e-9, 1e-6, 1e-4, 1e-2, 0.049999, 0.05, 0.050001, 0.3])
@pytest.mark.parametrize("against", [1.0, -1.0])
@pytest.mark.parametrize("size", [0.001, 1.0, 100.0])
def test_axes_that_are_nearly_parallel(tilt: float, against: float, size: float) -> None:
    """A chain of six joints, each axis `tilt` rad off the one before or against it, poses and dynamics to 1e-9."""
    rng = np.random.default_rng(int(tilt * 1e14) % 1000 + int(size))
    links = [
        f'<link name="l{k}"><inertial><origin xyz="0.1 0.2 0.3"/><mass value="2"/>{BALL}</inertial></link>'
        for k in range(7)
    ]
    joints: list[str] = []
    for k in range(6):
        way = rng.uniform(-np.pi, np.pi)
        axis = (math.sin(tilt) * math.cos(way), math.sin(tilt) * math.sin(way), against * math.cos(tilt))
        kind = "prismatic" if k == 3 else "revolute"
        joints.append(
            f'<joint name="j{k}" type="{kind}"><parent link="l{k}"/><child link="l{k + 1}"/>'
            f'<origin xyz="{numbers(size * rng.normal(size=3))}" rpy="0 0 {float(rng.normal())!r}"/>'
            f'<axis xyz="{numbers(axis)}"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        )
    pair = both(f'<robot name="r">{"".join(links + joints)}</robot>', "l0")
    q, v, a = state(rng, pair)
    check_frames(pair, q)
    check_dynamics(pair, q, v, a)


BALL = '<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>'


@pytest.mark.parametrize("seed", range(5))
def test_a_chain_of_thirty_joints(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    pair = both(random_urdf(rng, 30))
    q, v, a = state(rng, pair)
    check_frames(pair, q)
    check_dynamics(pair, q, v, a)


# ---- the elements, one by one ----

LIMIT = '<limit lower="-1" upper="2" effort="30" velocity="4"/>'


def robot(joint: str = "", *, links: str = "", kind: str = "revolute", more: str = "") -> str:
    """Two links, one joint with the given elements, on lines of their own."""
    return (
        f'<robot name="two">\n<link name="a"/>\n<link name="b">{links}</link>\n'
        f'<joint name="j" type="{kind}"><parent link="a"/><child link="b"/>\n{joint}</joint>\n{more}</robot>\n'
    )


def test_what_a_joint_says() -> None:
    given = f'<origin xyz="1 2 3" rpy="0 0 0.5"/><axis xyz="0 0 -3"/>{LIMIT}<dynamics damping="0.5" friction="0.25"/>'
    d = urdf.read(robot(given))
    [body] = d.bodies
    assert (d.name, d.source, body.name, body.joint_name, body.parent) == ("two", "", "j", "j", "base")
    assert (d.q_names, d.v_names) == (("j",), ("j",))
    assert body.limits == (Limits(-1, 2, 4, 30),)
    assert (body.FV, body.FS, body.IA) == (0.5, 0.25, 0)
    assert d.frame_names == ("world", "base", "j", "a", "b")


@pytest.mark.parametrize(
    ("kind", "given", "limits"),
    [
        ("continuous", '<limit lower="-1" upper="2" effort="30" velocity="4"/>', (Limits(None, None, 4, 30),)),
        ("revolute", "", ()),
        ("revolute", '<limit effort="30" velocity="4"/>', (Limits(None, None, 4, 30),)),
        ("prismatic", '<limit upper="0.04" effort="inf" velocity="4"/>', (Limits(0, 0.04, 4, None),)),
        ("revolute", '<limit lower="-inf" upper="inf" effort="1e400"/>', ()),
    ],
)
def test_limits(kind: str, given: str, limits: tuple[Limits, ...]) -> None:
    assert urdf.read(robot(given, kind=kind)).bodies[0].limits == limits


def test_the_axis_is_x_where_none_is_given_and_its_length_means_nothing() -> None:
    def direction(given: str) -> Floats:
        return matrix(pose(tree(urdf.read(robot(given)), float), [0.3], "j", "a"))[:3, 2]

    assert np.allclose(direction(""), [1, 0, 0], atol=1e-15)
    for scale in (1e-150, 1e-9, 3.0, 1e90):
        given = " ".join(repr(x * scale) for x in (0.0, 0.6, 0.8))
        assert np.allclose(direction(f'<axis xyz="{given}"/>'), [0, 0.6, 0.8], atol=1e-15)


def test_right_angles_are_snapped_only_when_asked() -> None:
    """1.5708 is 1.5708; pi/2 to the last digit, or to twelve, is pi/2."""
    given = '<origin rpy="{} 0 0"/><axis xyz="0 0 1"/>' + LIMIT
    exact = urdf.read(robot(given.format("1.5707963267948966")))
    assert exact.bodies[0].placement.alpha == PiMultiple(PI.ratio / 2)
    assert urdf.read(robot(given.format("1.570796326794"))) == exact
    assert urdf.read(robot(given.format("1.5708"))).bodies[0].placement.alpha == 1.5708
    assert urdf.read(robot(given.format("1.5708")), snap=1e-4) == exact
    assert urdf.read(robot(given.format("1.58")), snap=1e-4) != exact
    tilted = urdf.read(robot('<axis xyz="0 -1 -3.67e-06"/>'), snap=1e-4)
    assert tilted == urdf.read(robot('<axis xyz="0 -1 0"/>'))


def test_three_fixed_links_are_one_body_with_their_inertia_and_frames_of_their_own() -> None:
    inertial = '<inertial><origin xyz="0.1 0 0"/><mass value="2"/>' + BALL + "</inertial>"
    more = (
        f'<link name="c">{inertial}</link><joint name="weld" type="fixed"><origin xyz="0 0 1"/><parent link="b"/><child link="c"/></joint>'
        f'<link name="tip"/><joint name="flange" type="fixed"><origin xyz="0 0 0.5" rpy="0 0.5 0"/><parent link="c"/><child link="tip"/></joint>'
    )
    pair = both(robot('<axis xyz="0 1 0"/>' + LIMIT, links=inertial, more=more), "a")
    assert [b.name for b in pair.ours.bodies] == ["j"]
    assert {"a", "b", "c", "tip"} <= set(pair.ours.frame_names)
    assert pair.ours.bodies[0].inertia.M == 4
    check_frames(pair, np.array([0.7]))
    check_dynamics(pair, np.array([0.7]), np.array([0.2]), np.array([-0.4]))


def test_the_order_of_q_is_the_files() -> None:
    """Also where it is neither from the root outwards nor by the alphabet."""
    joint = '<joint name="{0}" type="continuous"><parent link="{1}"/><child link="{2}"/></joint>'
    links = "".join(f'<link name="{x}"/>' for x in "dcba")
    given = [joint.format(*x) for x in (("z", "b", "c"), ("m", "a", "b"), ("a", "a", "d"))]
    assert urdf.read(f"<robot>{links}{''.join(given)}</robot>").q_names == ("z", "m", "a")


def test_the_base_stands_where_links_of_its_name_do() -> None:
    """A root "world", the base welded 2 m up and turned over: gravity and the poses follow."""
    text = (
        '<robot name="r"><link name="world"/><link name="base"/><link name="arm"/>'
        '<joint name="w" type="fixed"><origin xyz="0 0 2" rpy="3.141592653589793 0 0"/><parent link="world"/><child link="base"/></joint>'
        f'<joint name="j" type="revolute"><origin xyz="0 0 1"/><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>{LIMIT}</joint></robot>'
    )
    d = urdf.read(text)
    assert d.base.gravity == (0, 0, 9.81)
    assert np.allclose(matrix(pose(tree(d, float), [0.0], "arm", "world"))[:3, 3], [0, 0, 1])
    check_frames(both(text, "world"), np.array([0.4]))


def test_a_link_with_the_name_of_a_joint_keeps_it() -> None:
    d = urdf.read(
        '<robot><link name="a"/><link name="j"/><joint name="j" type="continuous"><parent link="a"/><child link="j"/></joint></robot>'
    )
    assert (d.bodies[0].name, d.bodies[0].joint_name) == ("j_body", "j")
    assert "j" in d.frame_names


def test_a_file_and_what_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    more = '<transmission name="t"/><gazebo/><material name="m"/>'
    path.write_text(
        '<?xml version="1.0" encoding="utf-8"?>\n<!-- é -->\n' + robot(LIMIT, more=more).replace(' name="two"', "")
    )
    d = urdf.read(path)
    assert (d.name, d.source) == ("arm", "arm.urdf")
    assert urdf.read(str(path)) == d


def test_a_link_alone_is_a_robot_without_joints() -> None:
    d = urdf.read('<robot name="r"><link name="only"/></robot>')
    assert (d.nv, d.bodies, d.frame_names) == (0, (), ("world", "base", "only"))


# ---- errors: one, with file, line, element and what is allowed ----

LOOP = '<loop_joint name="p" type="{}"><link1 link="{}"/><link2 link="{}"/></loop_joint>'
SECOND = '<joint name="k" type="continuous"><parent link="{}"/><child link="{}"/></joint>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (robot(kind="ball"), "line 4: the joint 'j' has the type 'ball'"),
        (robot(kind=""), "line 4: the joint 'j' has the type ''"),
        (robot('<mimic joint="k"/>'), "line 4: j with k couples 'k', which is no joint; there are j"),
        (robot("<mimic/>"), "line 5: <mimic> without joint"),
        (robot('<mimic joint="j"/>'), "line 4: couplings lead round in a circle: j, j"),
        (robot('<mimic joint="j" multiplier="0"/>'), "line 4: j with j couples j to j with the ratio 0"),
        (robot('<axis xyz="0 0 0"/>'), "line 5: <axis> has the axis 0 0 0, which points nowhere"),
        (robot('<axis xyz="0 1"/>'), "line 5: <axis xyz> has 2 numbers; it takes 3"),
        (robot('<axis xyz="0 0 nan"/>'), "line 5: <axis xyz> has 'nan', which is not a finite number"),
        (robot("<axis/>"), "line 5: <axis> without xyz"),
        (robot('<origin xyz="0 0 1e999"/>'), "line 5: <origin xyz> has '1e999'"),
        (robot('<origin rpy="0 0 ${pi/2}"/>'), "<origin rpy> has .* expand the file with xacro first"),
        (robot('<limit lower="3" upper="2"/>'), "line 4: j has lower = 3.0 above upper = 2.0"),
        (robot('<limit effort="-2"/>'), "line 4: j has effort = -2.0"),
        (robot('<limit lower="nan"/>'), "line 5: <limit lower> has 'nan'"),
        (robot('<dynamics damping="-1"/>'), "line 5: the joint 'j' has the damping -1.0"),
        (robot(links="<inertial/>"), "line 3: <inertial> without <mass>"),
        (robot(links='<inertial><mass value="-2"/></inertial>'), "line 3: the link 'b' has the mass -2.0 kg"),
        (robot(links='<inertial><mass value="2"/></inertial>'), "line 3: <inertial> without <inertia>"),
        (robot(links='<inertial><mass value="2"/><inertia/></inertial>'), "line 3: <inertia> without ixx"),
        (robot(links='<inertial><mass value="two"/></inertial>'), "line 3: <mass value> has 'two'"),
        (
            robot(more='<link name="c"/>'),
            "2 links are the child of no joint: 'a' .line 2., 'c' .line 6.; a robot has one root",
        ),
        (robot(more=SECOND.format("b", "a")), "every link is the child of a joint, so none is the root"),
        (robot(more=SECOND.format("a", "b")), "line 6: the link 'b' is the child of two joints, 'j' and 'k'"),
        (robot(more='<link name="c"/>' + SECOND.format("c", "c")), "line 6: the joint 'k' is part of a circle"),
        (robot(more=SECOND.format("b", "c")), "line 6: the joint 'k' has the child link 'c', and there is no <link>"),
        (robot(more='<link name="a"/>'), "line 6: two <link> are called 'a'; the first stands on line 2"),
        (robot(more='<joint name="j"/>'), "line 6: two <joint> are called 'j'"),
        (robot(more="<link/>"), "line 6: a <link> without a name"),
        (robot(more='<joint name="k" type="fixed"/>'), "line 6: <joint> without <parent>"),
        (robot().replace('"b"', '"base"'), "line 3: the link 'base' moves"),
        (
            robot(more=LOOP.format("screw", "a", "b")),
            "line 6: the loop_joint 'p' has the type 'screw'; read are continuous",
        ),
        (
            robot(more=LOOP.format("fixed", "a", "z")),
            "line 6: the loop_joint 'p' has the link2 link 'z', and there is no",
        ),
        (robot(more=LOOP.format("fixed", "a", "a")), "line 6: the cut joint p stands between base and itself"),
        (robot(more='<loop_joint name="p" type="fixed"/>'), "line 6: <loop_joint> without <link1>"),
        (robot(more='<fixed_frame name="f"/>'), "line 6: <fixed_frame> without <parent>"),
        (robot(more="<xacro:macro/>"), "line 6: <xacro:macro> is a macro of xacro"),
        ("<robot/>", "line 1: <robot> has no <link>"),
        ("<sdf/>", "line 1: the outermost element is <sdf>; a URDF file begins with <robot>"),
        ("<robot>", "is not XML"),
        ("<robot><link name='a'/></robot> rest", "is not XML"),
    ],
)
def test_errors(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.urdf"
    path.write_text(text)
    with pytest.raises(ArmillaryError, match=message) as caught:
        urdf.read(path)
    assert str(path) in str(caught.value)
    assert len(str(caught.value)) < 800


# ---- joints that move together, float, glide and close loops ----


def test_a_joint_that_mimics_another_is_coupled_to_it() -> None:
    more = (
        '<link name="c"/><joint name="k" type="prismatic"><parent link="b"/><child link="c"/>'
        '<mimic joint="j" multiplier="-0.5" offset="0.1"/></joint>'
    )
    d = urdf.read(robot(more=more))
    assert d.couplings == (Coupling("k with j", "k", "j", value("-1/2"), 0.1),)
    assert [b.actuated for b in d.bodies] == [True, False]
    free = urdf.read(robot(more=more), ignore_mimic=True)
    assert free.couplings == () and [b.actuated for b in free.bodies] == [True, True]
    assert urdf.read(robot(more=more.replace("multiplier", "factor").replace("offset", "shift"))).couplings == (
        Coupling("k with j", "k", "j"),
    )


@pytest.mark.parametrize("seed", range(60))
def test_joints_that_float_or_glide_agree_with_pinocchio(seed: int) -> None:
    """Pinocchio's planes are normal to z, whatever the axis; its q has the cosine and sine of the angle."""
    rng = np.random.default_rng([seed, 11])
    kinds = ("floating", "planar", "revolute", "continuous", "prismatic", "fixed")
    text = re.sub(
        r'(type="planar">.*?)<axis xyz="[^"]*"/>', r'\1<axis xyz="0 0 1"/>', random_urdf(rng, 1 + seed % 8, kinds=kinds)
    )
    pair = both(text)
    assert [b.actuated for b in pair.ours.bodies] == [b.joint.nv == 1 for b in pair.ours.bodies]
    theirs, places, q, lost = pin.neutral(pair.model), list[int](), list[float](), list[float]()
    v, a = rng.normal(size=(2, pair.ours.nv))
    for body in pair.ours.bodies:
        j = pair.model.joints[pair.model.getJointId(body.joint_name)]
        own = rng.normal(size=body.joint.nq)
        if body.joint.kind == "free":
            own[3:] /= np.linalg.norm(own[3:])
            said = [*own[:3], *own[4:], own[3]]
        else:
            said = [*own[:-1], math.cos(own[-1]), math.sin(own[-1])] if j.nq > body.joint.nq else own
        theirs[j.idx_q : j.idx_q + j.nq] = said
        q += [*own]
        rates = v[len(places) : len(places) + body.joint.nv]
        lost += [*(float(body.FV) * rates + float(body.FS) * np.sign(rates))]
        places += range(j.idx_v, j.idx_v + j.nv)
    rate, acceleration = np.zeros(pair.model.nv), np.zeros(pair.model.nv)
    rate[places], acceleration[places] = v, a
    pin.framesForwardKinematics(pair.model, pair.data, theirs)
    for frame in pair.model.frames:
        if frame.type == pin.FrameType.BODY:
            k = pair.model.getFrameId(frame.name, pin.FrameType.BODY)
            assert close(matrix(pose(pair.tree, q, frame.name, pair.root)), pair.data.oMf[k].homogeneous), frame.name
    if pair.ours.nv:
        tau = pin.rnea(pair.model, pair.data, theirs, rate, acceleration)[places]
        found = newton_euler(pair.tree, q, v, a, base_motion(pair.tree)).torques
        assert close(np.array(found, dtype=float), tau + lost)


def test_a_plane_is_normal_to_its_axis() -> None:
    rng = np.random.default_rng(3)
    for axis in ((1, 0, 0), (0, -1, 0), (0.3, -0.4, 1.2), (0, 0, -1)):
        d = urdf.read(robot(f'<axis xyz="{numbers(axis)}"/><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>', kind="planar"))
        robot_tree = tree(d, float)
        T0, T = (matrix(pose(robot_tree, q, "b", "a")) for q in ([0.0] * 3, rng.normal(size=3)))
        normal = T0[:3, :3] @ axis
        assert np.allclose(T[:3, :3] @ axis, normal) and abs(normal @ (T[:3, 3] - T0[:3, 3])) < 1e-14
        assert np.linalg.norm(T[:3, 3] - T0[:3, 3]) > 0.1 and np.linalg.norm(T - T0) > 0.1


@pytest.mark.parametrize(
    "kind", ["revolute", "continuous", "prismatic", "spherical", "ball", "fixed", "cylindrical", "planar"]
)
def test_a_loop_joint_holds_two_frames_together(kind: str) -> None:
    """Sides a and b stand at the frames given, z along the axis, which has the same components in both."""
    axis = np.array([0.6, 0, 0.8])
    loop = (
        f'<loop_joint name="pin" type="{kind}"><axis xyz="{numbers(3 * axis)}"/>'
        '<link1 link="a" xyz="1 2 3" rpy="0.1 0.2 0.3"/><link2 link="b" xyz="0 0.5 0" rpy="0 0 1"/></loop_joint>'
    )
    d = urdf.read(robot(more=loop))
    [cut] = d.cuts
    assert cut.name == "pin" and cut.kind.kind == {"continuous": "revolute", "ball": "spherical"}.get(kind, kind)
    assert (cut.a.body, cut.b.body) == ("base", "j")
    robot_tree = tree(d, float)
    joined = urdf.read(
        robot(
            more='<fixed_frame name="at a"><parent link="a"/><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/></fixed_frame>'
            '<fixed_frame name="at b"><parent link="b"/><origin xyz="0 0.5 0" rpy="0 0 1"/></fixed_frame>'
        )
    )
    for side, name in ((cut.a, "at a"), (cut.b, "at b")):
        T = matrix(pose(tree(joined, float), [0.7], name, "a"))
        ours = matrix(pose(robot_tree, [0.7], side.body, "a")) @ place_pose(side.placement)
        assert np.allclose(ours[:3, 3], T[:3, 3]) and np.allclose(ours[:3, 2], T[:3, :3] @ axis)
    known = place_pose(cut.a.placement)[:3, :3].T @ matrix(pose(tree(joined, float), [0.7], "at a", "a"))[:3, :3]
    other = place_pose(cut.b.placement)[:3, :3].T @ matrix(pose(tree(joined, float), [0.7], "at b", "j"))[:3, :3]
    assert np.allclose(known, other)


def test_a_four_bar_closes_as_its_lengths_say() -> None:
    """A parallelogram in the plane normal to y: crank and rocker turn by the same angle, the coupler by its opposite."""
    link = '<link name="{0}"><inertial><origin xyz="0 0 0.5"/><mass value="1"/>' + BALL + "</inertial></link>"
    joint = '<joint name="{0}" type="continuous"><parent link="{1}"/><child link="{2}"/><origin xyz="{3}"/><axis xyz="0 1 0"/></joint>'
    parts = [link.format(x) for x in ("ground", "crank", "coupler", "rocker")]
    parts += [
        joint.format("q1", "ground", "crank", "0 0 0"),
        joint.format("q2", "crank", "coupler", "0 0 1"),
        joint.format("q3", "ground", "rocker", "2 0 0"),
        '<loop_joint name="pin" type="continuous"><axis xyz="0 1 0"/><link1 link="rocker" xyz="0 0 1" rpy="0 0 0"/>'
        '<link2 link="coupler" xyz="2 0 0" rpy="0 0 0"/></loop_joint>',
    ]
    d = urdf.read(f"<robot>{''.join(parts)}</robot>")
    assert d.joint_names == ("q1", "q2", "q3")
    for angle in (0.0, 0.4, -1.2):
        for q, closed in (([angle, -angle, angle], True), ([angle, 0.1 - angle, angle], False)):
            robot_tree = tree(d, float)
            a = matrix(pose(robot_tree, q, d.cuts[0].a.body, "ground")) @ place_pose(d.cuts[0].a.placement)
            b = matrix(pose(robot_tree, q, d.cuts[0].b.body, "ground")) @ place_pose(d.cuts[0].b.placement)
            assert np.allclose(a[:3, 2:], b[:3, 2:], atol=1e-14) == closed


BOMB = '<!DOCTYPE robot [<!ENTITY a "{}">{}]><robot name="&z;"/>'.format(
    "lol" * 100, "".join(f'<!ENTITY {b} "{f"&{a};" * 100}">' for a, b in zip("abcdefghy", "bcdefghyz", strict=True))
)


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        '<!DOCTYPE robot SYSTEM "file:///etc/passwd"><robot/>',
        '<!DOCTYPE robot [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"/>',
        '<robot name="&undefined;"/>',
        "<a>" * 200_000,
        "<robot " + "x" * 10_000_000,
        "<robot " + " ".join(f'a{k}="1"' for k in range(100_000)),
        "<" * 10_000_000,
        "\x00" * 1000,
        "<robot>" + "\ud800" + "</robot>",
    ],
    ids=range(10),
)
def test_bombs_and_garbage_are_one_short_error(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        urdf.read(text)
    assert len(str(caught.value)) < 800


def test_a_missing_file_is_named() -> None:
    with pytest.raises(FormatError, match=r"nowhere\.urdf cannot be read"):
        urdf.read("nowhere.urdf")
