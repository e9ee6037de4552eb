"""SymPy's KanesMethod on a planar arm: equations of motion, common subexpressions taken out."""

import time
from importlib import metadata, util
from typing import Any

from benchmarks.peers import Missing


def name() -> str:
    """SymPy with its version."""
    try:
        return f"SymPy {metadata.version('sympy')} KanesMethod"
    except metadata.PackageNotFoundError:
        return "SymPy KanesMethod"


def seconds(joints: int) -> float:
    """Once, from the first symbol to mass matrix and forcing vector as a straight-line program."""
    if util.find_spec("sympy") is None:
        raise Missing("the package `sympy` is not installed")
    import sympy as sp

    equations(1)
    start = time.perf_counter()
    sp.cse(equations(joints))
    return time.perf_counter() - start


def equations(joints: int) -> tuple[Any, Any]:
    """(mass matrix, forcing vector) in q1 …, u1 …, tau1 …, lengths L, centres of mass c, masses m, inertias I, and g."""
    import sympy as sp
    from sympy.physics import mechanics as me

    q, u, tau = (me.dynamicsymbols(f"{letter}1:{joints + 1}") for letter in ("q", "u", "tau"))
    length, center, mass, inertia = (sp.symbols(f"{x}1:{joints + 1}") for x in ("L", "c", "m", "I"))
    g = sp.Symbol("g")
    N = me.ReferenceFrame("N")
    origin = me.Point("O")
    origin.set_vel(N, 0)
    frames = [N]
    bodies: list[Any] = []
    loads: list[Any] = []
    at = origin
    for k in range(joints):
        A = frames[-1].orientnew(f"A{k}", "Axis", (q[k], frames[-1].z))
        A.set_ang_vel(frames[-1], u[k] * frames[-1].z)
        G = at.locatenew(f"G{k}", center[k] * A.x)
        G.v2pt_theory(at, N, A)
        bodies.append(me.RigidBody(f"link{k}", G, A, mass[k], (me.inertia(A, 0, 0, inertia[k]), G)))
        loads += [(G, -mass[k] * g * N.y), (A, tau[k] * N.z), (frames[-1], -tau[k] * N.z)]
        tip = at.locatenew(f"P{k}", length[k] * A.x)
        tip.v2pt_theory(at, N, A)
        frames.append(A)
        at = tip
    rates = [qk.diff() - uk for qk, uk in zip(q, u, strict=True)]
    kane = me.KanesMethod(N, q_ind=list(q), u_ind=list(u), kd_eqs=rates)
    kane.kanes_equations(bodies, [x for x in loads if x[0] is not N])
    return kane.mass_matrix, kane.forcing
