"""Programs written out, as the models of a planar arm with two joints make them: text that no change of a derivation alters."""

from armillary.program import About, Program, parse

_DYNAMICS = """\
program planar_2R_inverse_dynamics
input state q [2] "rad" {q1 q2} "joint positions"
input state qd [2] "rad/s" {QP1 QP2} "joint velocities"
input state qdd [2] "rad/s²" {QDP1 QDP2} "joint accelerations"
input parameter ZZ1 [] "kg·m²" {ZZ1} ""
input parameter MX1 [] "kg·m" {MX1} ""
input parameter FV1 [] "" {FV1} "viscous friction"
input parameter FS1 [] "" {FS1} "dry friction"
input parameter L1 [] "m" {L1} "length of the first link" = 0.5
input parameter ZZ2 [] "kg·m²" {ZZ2} ""
input parameter MX2 [] "kg·m" {MX2} ""
input parameter MY2 [] "kg·m" {MY2} ""
input parameter M2 [] "kg" {M2} ""
input parameter g [] "m/s²" {g} "gravity" = 9.81
%0 = sin q1
%1 = cos q1
VP11: %2 = mul g %0
VP21: %3 = mul g %1
%4 = mul QP1 QP1
%5 = sin q2
%6 = cos q2
W32: %7 = add QP1 QP2
WP32: %8 = add QDP1 QDP2
%9 = mul L1 %4
%10 = mul L1 QDP1
%11 = sub %2 %9
%12 = add %3 %10
%13 = mul %6 %11
%14 = mul %5 %12
VP12: %15 = add %13 %14
%16 = mul %5 %11
%17 = mul %6 %12
VP22: %18 = sub %17 %16
%19 = mul %7 %7
%20 = mul M2 L1
%21 = mul L1 %20
%22 = add ZZ1 %21
%23 = mul %22 QDP1
%24 = mul MX1 %3
N31: %25 = add %23 %24
%26 = mul M2 %15
%27 = mul M2 %18
%28 = mul MX2 %19
%29 = mul MY2 %8
%30 = add %28 %29
%31 = mul MX2 %8
%32 = mul MY2 %19
%33 = sub %31 %32
F12: %34 = sub %26 %30
F22: %35 = add %27 %33
%36 = mul ZZ2 %8
%37 = mul MX2 %18
%38 = mul MY2 %15
%39 = sub %37 %38
N32: %40 = add %36 %39
%41 = mul %5 %34
%42 = mul %6 %35
%43 = add %41 %42
%44 = mul L1 %43
%45 = add %40 %44
NE31: %46 = add %25 %45
%47 = mul FV1 QP1
%48 = sign QP1
%49 = mul FS1 %48
%50 = add %47 %49
GAM1: %51 = add %46 %50
GAM2: %52 = mul 3/2 %40
output tau [2] "N·m" {joint1 joint2} {} "joint torques" = %51 %52
"""

_INERTIA = """\
program planar_2R_inertia_matrix
input state q [2] "rad" {q1 q2} "joint positions"
input parameter ZZ1 [] "" {ZZ1} ""
input parameter L1 [] "m" {L1} "length of the first link"
input parameter ZZ2 [] "" {ZZ2} ""
input parameter MX2 [] "" {MX2} ""
input parameter M2 [] "" {M2} ""
%0 = cos q2
%1 = mul MX2 %0
%2 = mul L1 %1
A21: %3 = add ZZ2 %2
%4 = mul L1 L1
%5 = mul M2 %4
%6 = add ZZ1 %5
%7 = mul 2 %2
%8 = add ZZ2 %7
A11: %9 = add %6 %8
output A [2,2] "kg·m²" {joint1 joint2} {joint1 joint2} "inertia matrix" = %9 %3 %3 ZZ2
"""

_POSE = """\
program planar_2R_pose
input state q [2] "rad" {shoulder_lift elbow} "joint positions"
input parameter L1 [] "m" {L1} "length of the first link"
%0 = add shoulder_lift elbow
%1 = cos %0
%2 = sin %0
%3 = neg %2
%4 = cos shoulder_lift
%5 = sin shoulder_lift
%6 = mul L1 %4
%7 = mul L1 %5
output T [4,4] "" {} {} "pose of link 2 in the base" = %1 %3 0 %6 %2 %1 0 %7 0 0 1 pi/2 0 0 0 1
"""


def inverse_dynamics() -> Program:
    """Γ of two joints, with friction; work on parameters, names, defaults, units."""
    source = "Newton-Euler: Khalil (2010), eqs. 14-24"
    about = About("planar 2R", "inverse dynamics", "Γ = A(q) q'' + H(q, q')", source, (("base parameters", "no"),))
    return parse(_DYNAMICS).with_(about=about)


def inertia_matrix() -> Program:
    """A symmetric matrix of short elements."""
    return parse(_INERTIA).with_(about=About("planar 2R", "inertia matrix", "A(q) with energy ½ q'ᵀ A q'"))


def pose() -> Program:
    """A homogeneous transform: constants, zeros, a sine of a sum of angles, joints with names that are no symbols."""
    return parse(_POSE).with_(about=About("planar 2R", "pose of a frame"))
