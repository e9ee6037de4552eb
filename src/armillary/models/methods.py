"""The models of the catalogue as methods of `Robot`. Written by `python -m armillary.models.signatures`; not by hand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from armillary.models.model import Model

Fixed = Mapping[str, Any] | None
"""Numbers or formulas for inputs and parameters, by name."""


class Methods(ABC):
    """A method for every model.

    All take: `fixed`, numbers or formulas to put in for elements of inputs or parameters before deriving; `inputs`, what
    of the description is to be given at every call ("gravity", "base_velocity", "base_acceleration", "wrench:FRAME");
    `base_parameters`, to put the base inertial parameters in the place of the full ones, which some models refuse.
    """

    @abstractmethod
    def derive(
        self,
        model: str,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
        passes: bool = True,
        **options: Any,
    ) -> Model:
        """The model of that name."""

    def pose(
        self,
        frame: str | None = None,
        reference: str = "base",
        form: str = "shared",
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Pose of a frame in another: ᵣT_f = Π ⁱT_j along the way from the reference r to the frame f.

        frame: the frame asked for; the tip, where there is one, if none is named.
        reference: the frame it is seen from.
        form: products shared between elements, the fewest operations; or every element written out on its own.
        """
        return self.derive(
            "pose",
            frame=frame,
            reference=reference,
            form=form,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def velocities(self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False) -> Model:
        """Velocities of all links: ω_j = ʲR_i ω_i + ω_J,   v_j = ʲR_i (v_i + ω_i × ⁱP_j) + v_J."""
        return self.derive("velocities", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def accelerations(self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False) -> Model:
        """Accelerations of all links: ω̇_j = ʲR_i ω̇_i + ʲω_i × ω_J + ω̇_J,   v̇_j = ʲR_i (v̇_i + U_i ⁱP_j) + 2 ʲω_i × v_J + v̇_J."""
        return self.derive("accelerations", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def frame_velocity(
        self,
        frame: str | None = None,
        expressed_in: str = "base",
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Velocity of a frame: (v, ω) = J q'.

        frame: the frame asked for; the tip, where there is one, if none is named.
        expressed_in: the frame whose axes the result is written along.
        """
        return self.derive(
            "frame-velocity",
            frame=frame,
            expressed_in=expressed_in,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def frame_acceleration(
        self,
        frame: str | None = None,
        expressed_in: str = "base",
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Acceleration of a frame: (v̇, ω̇) = J q'' + J̇ q'.

        frame: the frame asked for; the tip, where there is one, if none is named.
        expressed_in: the frame whose axes the result is written along.
        """
        return self.derive(
            "frame-acceleration",
            frame=frame,
            expressed_in=expressed_in,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def jacobian(
        self,
        frame: str | None = None,
        expressed_in: str = "base",
        via: str | None = None,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Jacobian of a frame: (v, ω) = J(q) q',   J_k = (v_k + ω_k × (p - O_k), ω_k).

        frame: the frame asked for; the tip, where there is one, if none is named.
        expressed_in: the frame whose axes the result is written along.
        via: the intermediate frame; the one of least cost if none is named.
        """
        return self.derive(
            "jacobian",
            frame=frame,
            expressed_in=expressed_in,
            via=via,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def jacobian_rate(
        self,
        frame: str | None = None,
        expressed_in: str = "base",
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """The part J̇ q' of a frame's acceleration.

        J̇ q' = (v̇, ω̇) with q'' = 0; where the base has a given motion, its part is in it.

        frame: the frame asked for; the tip, where there is one, if none is named.
        expressed_in: the frame whose axes the result is written along.
        """
        return self.derive(
            "jacobian-rate",
            frame=frame,
            expressed_in=expressed_in,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def jacobian_determinant(
        self,
        frame: str | None = None,
        expressed_in: str = "base",
        rows: tuple[int | str, ...] | None = None,
        columns: tuple[int | str, ...] | None = None,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Determinant of a Jacobian: det J, of chosen rows and columns; √ is not taken: det J Jᵀ, or det Jᵀ J, where J is not square.

        frame: the frame asked for; the tip, where there is one, if none is named.
        expressed_in: the frame whose axes the result is written along.
        rows: the rows of J to keep: 0 to 5, or v_x, v_y, v_z, w_x, w_y, w_z; all if none are named.
        columns: the columns of J to keep: from 0, or names; all if none are named.
        """
        return self.derive(
            "jacobian-determinant",
            frame=frame,
            expressed_in=expressed_in,
            rows=rows,
            columns=columns,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def inverse_dynamics(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Inverse dynamic model: Γ = A(q) q'' + H(q, q')."""
        return self.derive("inverse-dynamics", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def reaction_wrenches(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Joint reaction wrenches: f_j = F_j + f_ej + Σ ʲR_k f_k,   n_j = N_j + n_ej + Σ (ʲR_k n_k + ʲP_k × ʲR_k f_k).

        Not with base parameters: the joints also carry forces that do no work, and those change when parameters are regrouped.
        """
        return self.derive("reaction-wrenches", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def inertia_matrix(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Inertia matrix: A(q) with kinetic energy ½ q'ᵀ A q'."""
        return self.derive("inertia-matrix", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def bias_torques(self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False) -> Model:
        """All torques but those of the joint accelerations: H(q, q') = C(q, q') q' + G(q) + friction + springs + external wrenches."""
        return self.derive("bias-torques", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def coriolis_torques(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Coriolis and centrifugal torques: h = C(q, q') q'."""
        return self.derive("coriolis-torques", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def gravity_torques(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Gravity torques: G(q) = ∂U/∂q."""
        return self.derive("gravity-torques", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def coriolis_matrix(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Coriolis matrix: C(q, q') with C q' = h and Ȧ - 2C skew-symmetric."""
        return self.derive("coriolis-matrix", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def kinetic_energy(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Kinetic energy: E = ½ Σ_j (M v·v + 2 MS·(v × ω) + ω·J ω) + ½ Σ IA q'².

        Not with base parameters: energies depend on the parameters of links that the joints cannot feel.
        """
        return self.derive("kinetic-energy", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def potential_energy(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Potential energy: U = -Σ_j g·(M ⁰P_j + ⁰R_j MS_j).

        Not with base parameters: energies depend on the parameters of links that the joints cannot feel.
        """
        return self.derive("potential-energy", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def direct_dynamics(
        self, method: str = "auto", *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Direct dynamic model: q'' = A⁻¹ (Γ - H(q, q')).

        method: how; `auto` takes what costs less.
        """
        return self.derive(
            "direct-dynamics", method=method, fixed=fixed, inputs=inputs, base_parameters=base_parameters
        )

    def hybrid_dynamics(
        self,
        known: tuple[str, ...] = (),
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Hybrid dynamic model: A q'' + H = Γ, of each joint velocity either q'' or Γ known.

        known: the joint velocities whose accelerations are known, by name.
        """
        return self.derive("hybrid-dynamics", known=known, fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def center_of_mass(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Centre of mass and total mass: M = Σ M_j,   c = Σ (⁰R_j MS_j + M_j ⁰P_j) / M.

        Not with base parameters: the centre of mass and the momentum depend on the parameters of links that the joints cannot feel.
        """
        return self.derive("center-of-mass", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def momentum(self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False) -> Model:
        """Centroidal momentum: h = (p, L_c),   p = M ċ,   L_c = Σ (L_j + (P_j - c) × p_j).

        Not with base parameters: the centre of mass and the momentum depend on the parameters of links that the joints cannot feel.
        """
        return self.derive("momentum", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def momentum_rate(self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False) -> Model:
        """Rate of the centroidal momentum: ḣ = (M c̈, L̇_c) = A_c q'' + Ȧ_c q'.

        Not with base parameters: the centre of mass and the momentum depend on the parameters of links that the joints cannot feel.
        """
        return self.derive("momentum-rate", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def momentum_matrix(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Centroidal momentum matrix: h = A_c(q) q',   ċ = J_c(q) q'.

        Not with base parameters: the centre of mass and the momentum depend on the parameters of links that the joints cannot feel.
        """
        return self.derive("momentum-matrix", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def proper_acceleration(
        self,
        frame: str | None = None,
        expressed_in: str = "base",
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Acceleration of a frame minus gravity: (v̇ - g, ω̇).

        frame: the frame asked for; the tip, where there is one, if none is named.
        expressed_in: the frame whose axes the result is written along.
        """
        return self.derive(
            "proper-acceleration",
            frame=frame,
            expressed_in=expressed_in,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def underactuated_inverse_dynamics(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Inverse dynamic model with unactuated joints: A q'' + H = Γ, q'' given where a joint is actuated, Γ = 0 where it is not."""
        return self.derive(
            "underactuated-inverse-dynamics", fixed=fixed, inputs=inputs, base_parameters=base_parameters
        )

    def spring_energy(self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False) -> Model:
        """Potential energy of the springs: U_s = ½ Σ K (q - q0)²."""
        return self.derive("spring-energy", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def statics(self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False) -> Model:
        """Static torques and stiffness.

        Γ = G(q) + K_s (q - q0) + external wrenches,   K = ∂Γ/∂q,   A q'' + K δq = 0 about an equilibrium."""
        return self.derive("statics", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def closed_statics(
        self,
        independent: tuple[str, ...] = (),
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Static forces and stiffness of the closed loops.

        Q = Gᵀ Γ_tr at rest,   K_c = dQ/dq_i = Gᵀ (∂Γ_tr/∂q - ∂(Jᵀ λ)/∂q) G,   A_c q''_i + K_c δq_i = 0 about an equilibrium.

        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        """
        return self.derive(
            "closed-statics", independent=independent, fixed=fixed, inputs=inputs, base_parameters=base_parameters
        )

    def fluid_wrenches(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Wrenches on the fluid around the links.

        f = D|v|v + A v̇ + ω × A v,   n = E|ω|ω + B ω̇ + ω × B ω + v × A v,   about each link's centre c."""
        return self.derive("fluid-wrenches", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def transmission_inverse_dynamics(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Inverse dynamic model through transmissions.

        τ = J θ'' + FV θ' + FS sign(θ') + r Γ,   Γ = -(K s + D s') = A q'' + H,   s = q - r θ - offset."""
        return self.derive("transmission-inverse-dynamics", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def closed_transmission_inverse_dynamics(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Inverse dynamic model of closed loops through transmissions.

        τ = J θ'' + FV θ' + FS sign(θ') + r Γ_c,   Γ_c = -(K s + D s') = A_c q''_a + H_c,   s = q - r θ - offset."""
        return self.derive(
            "closed-transmission-inverse-dynamics", fixed=fixed, inputs=inputs, base_parameters=base_parameters
        )

    def loop_residual(self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False) -> Model:
        """Geometric constraints of the loops.

        Φ(q) = 0:   e·P_b along the axes e that a holds,   e·u of axes of a and b that are square,   q_j - ratio q_k - offset."""
        return self.derive("loop-residual", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def loop_solution(
        self,
        independent: tuple[str, ...] = (),
        mode: int | None = None,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Passive coordinates of the loops in closed form, in every way to assemble them.

        A cos θ + B sin θ = C for each triangle of bodies:   θ = atan2(B, A) ± atan2(√(A² + B² - C²), C).

        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        mode: one way to assemble the robot, by its number; all if none is told.
        """
        return self.derive(
            "loop-solution",
            independent=independent,
            mode=mode,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def loop_jacobian(
        self,
        independent: tuple[str, ...] = (),
        mode: int | None = None,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Kinematic constraints of the loops and their reduction: J q' = 0,   q'_d = W q'_i,   W = -J_d⁻¹ J_i,   J q'' + J̇ q' = 0.

        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        mode: a way to assemble the robot, by its number in loop_solution: q_a is given instead of q, all other coordinates follow.
        """
        return self.derive(
            "loop-jacobian",
            independent=independent,
            mode=mode,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def loop_determinants(
        self,
        independent: tuple[str, ...] = (),
        mode: int | None = None,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Where the independent joints do not determine the motion: det J_d = Π det of its irreducible blocks = 0.

        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        mode: a way to assemble the robot, by its number in loop_solution: q_a is given instead of q, all other coordinates follow.
        """
        return self.derive(
            "loop-determinants",
            independent=independent,
            mode=mode,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def actuation(
        self,
        independent: tuple[str, ...] = (),
        mode: int | None = None,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """How motors act on the motion, and how they work against each other: Q = Gᵀ Γ,   N = 1 - G (Gᵀ G)⁻¹ Gᵀ.

        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        mode: a way to assemble the robot, by its number in loop_solution: q_a is given instead of q, all other coordinates follow.
        """
        return self.derive(
            "actuation", independent=independent, mode=mode, fixed=fixed, inputs=inputs, base_parameters=base_parameters
        )

    def wheel_constraints(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """What wheels that neither slip nor slide forbid.

        t·v_C - r φ' = 0,   a·v_C = 0,   rollers: d·v_C - r cos γ φ' = 0;   J q' = W q̇ = 0."""
        return self.derive("wheel-constraints", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def posture_kinematics(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Posture kinematic model of the platform: ξ' = R(θ) Σ(β) η,   C_1(β) Σ(β) = 0."""
        return self.derive("posture-kinematics", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def configuration_kinematics(
        self,
        independent: tuple[str, ...] = (),
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Configuration kinematic model: q̇ = S(q) q'_i,   S = N(q) G,   q' = G q'_i,   q̇ = N(q) q'.

        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        """
        return self.derive(
            "configuration-kinematics",
            independent=independent,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def wheel_forces(
        self,
        independent: tuple[str, ...] = (),
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Forces of the ground on the wheels: A q'' + H = Γ + Jᵀ λ,   λ of least norm where statics leaves it open.

        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        """
        return self.derive(
            "wheel-forces", independent=independent, fixed=fixed, inputs=inputs, base_parameters=base_parameters
        )

    def closed_inverse_dynamics(
        self,
        independent: tuple[str, ...] = (),
        weighted: bool = False,
        mode: int | None = None,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Inverse dynamic model of the closed loops: G_aᵀ Γ_c = Gᵀ Γ_tr = Γ_i + Wᵀ Γ_d.

        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        weighted: where there are more motors than needed: weights and a preload of the motors become inputs.
        mode: a way to assemble the robot, by its number in loop_solution: q_a is given instead of q, all other coordinates follow.
        """
        return self.derive(
            "closed-inverse-dynamics",
            independent=independent,
            weighted=weighted,
            mode=mode,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def closed_inertia_matrix(
        self,
        independent: tuple[str, ...] = (),
        mode: int | None = None,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Inertia matrix of the closed loops: A_c = Gᵀ A G,   G = [1; W].

        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        mode: a way to assemble the robot, by its number in loop_solution: q_a is given instead of q, all other coordinates follow.
        """
        return self.derive(
            "closed-inertia-matrix",
            independent=independent,
            mode=mode,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def closed_bias(
        self,
        independent: tuple[str, ...] = (),
        mode: int | None = None,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """All torques of the closed loops but those of independent accelerations: H_c = Gᵀ Γ_tr with q''_i = 0.

        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        mode: a way to assemble the robot, by its number in loop_solution: q_a is given instead of q, all other coordinates follow.
        """
        return self.derive(
            "closed-bias",
            independent=independent,
            mode=mode,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def closed_direct_dynamics(
        self,
        method: str = "reduced",
        independent: tuple[str, ...] = (),
        mode: int | None = None,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Direct dynamic model of the closed loops: A_c q''_i = G_aᵀ Γ_a - H_c,   or   A q'' + H = Γ + Jᵀ λ with J q'' + J̇ q' = 0.

        method: in the independent joints alone, or all joints and the forces of the constraints at once.
        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        mode: a way to assemble the robot, by its number in loop_solution: q_a is given instead of q, all other coordinates follow.
        """
        return self.derive(
            "closed-direct-dynamics",
            method=method,
            independent=independent,
            mode=mode,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def closed_hybrid_dynamics(
        self,
        known: tuple[str, ...] = (),
        independent: tuple[str, ...] = (),
        mode: int | None = None,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Hybrid dynamic model of the closed loops: A_c q''_i + H_c = G_aᵀ Γ_a, of each motor either q'' or Γ known.

        known: joints with motors whose accelerations are known, by name.
        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        mode: a way to assemble the robot, by its number in loop_solution: q_a is given instead of q, all other coordinates follow.
        """
        return self.derive(
            "closed-hybrid-dynamics",
            known=known,
            independent=independent,
            mode=mode,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def closed_underactuated_inverse_dynamics(
        self, mode: int | None = None, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Inverse dynamic model of closed loops with unactuated joints.

        A_c q''_i + H_c = Γ_i, q'' given where a joint is actuated, Γ = 0 where it is not.

        mode: a way to assemble the robot, by its number in loop_solution: q_a is given instead of q, all other coordinates follow.
        """
        return self.derive(
            "closed-underactuated-inverse-dynamics",
            mode=mode,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def cut_reactions(
        self,
        independent: tuple[str, ...] = (),
        mode: int | None = None,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Reaction wrenches of the cut joints: J_dᵀ λ = Γ_d,   of least norm where rows are dependent.

        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        mode: a way to assemble the robot, by its number in loop_solution: q_a is given instead of q, all other coordinates follow.
        Not with base parameters: the cut joints also carry forces that do no work, and those change when parameters are regrouped.
        """
        return self.derive(
            "cut-reactions",
            independent=independent,
            mode=mode,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def closed_jacobian(
        self,
        frame: str | None = None,
        expressed_in: str = "base",
        independent: tuple[str, ...] = (),
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Jacobian of a frame, loops closed: (v, ω) = J q'_i,   J = J_tr G.

        frame: the frame asked for; the tip, where there is one, if none is named.
        expressed_in: the frame whose axes the result is written along.
        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        """
        return self.derive(
            "closed-jacobian",
            frame=frame,
            expressed_in=expressed_in,
            independent=independent,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def platform_jacobian(
        self,
        frame: str | None = None,
        expressed_in: str = "base",
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Jacobian of a parallel robot and its inverse.

        q'_a = Jr⁻¹ v,   (v, ω) = J q'_a,   J = V Jr,   v independent velocities of the platform, (v, ω) = V v.

        frame: the frame asked for; the tip, where there is one, if none is named.
        expressed_in: the frame whose axes the result is written along.
        """
        return self.derive(
            "platform-jacobian",
            frame=frame,
            expressed_in=expressed_in,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def leg_geometry(self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False) -> Model:
        """Inverse geometric model of the legs: q_i with P_i(q_i) = P_i(x), x the coordinates of the platform, every way of each leg."""
        return self.derive("leg-geometry", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def parallel_inverse_dynamics(
        self,
        ways: tuple[int | str, ...] | None = None,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Inverse dynamic model of a parallel robot, from its platform.

        Γ = J_pᵀ [F_p + Σ J_viᵀ J_i⁻ᵀ Γ_i],   q_i from x in closed form.

        ways: the way of each leg to reach the platform, by number as leg-geometry lists them; 0 unless told.
        """
        return self.derive(
            "parallel-inverse-dynamics", ways=ways, fixed=fixed, inputs=inputs, base_parameters=base_parameters
        )

    def subsystem_inverse_dynamics(
        self,
        independent: tuple[str, ...] = (),
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Torques and forces of the cut joints, subsystem after subsystem: Γ + Jᵀ λ = Γ_tr,   solved block by block.

        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        Not with base parameters: joints also carry forces that do no work, and those change when parameters are regrouped.
        """
        return self.derive(
            "subsystem-inverse-dynamics",
            independent=independent,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def free_body_dynamics(
        self,
        independent: tuple[str, ...] = (),
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Torques and reaction wrenches of all joints from free bodies.

        W_j - Σ ʲX_k W_k ± cut joints = (F_j, N_j) of every body j, as one system.

        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        Not with base parameters: joints also carry forces that do no work, and those change when parameters are regrouped.
        """
        return self.derive(
            "free-body-dynamics", independent=independent, fixed=fixed, inputs=inputs, base_parameters=base_parameters
        )

    def constraint_forces(
        self,
        independent: tuple[str, ...] = (),
        mode: int | None = None,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Motion under given torques, and the forces of the constraints.

        A q'' + H = Γ + Jᵀ λ,   J q'' + J̇ q' = 0,   λ of least norm where rows are dependent.

        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        mode: a way to assemble the robot, by its number in loop_solution: q_a is given instead of q, all other coordinates follow.
        Not with base parameters: constraints also carry forces that do no work, and those change when parameters are regrouped.
        """
        return self.derive(
            "constraint-forces",
            independent=independent,
            mode=mode,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def contact_inverse_dynamics(
        self,
        independent: tuple[str, ...] = (),
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Inverse dynamic model on a surface, for a given pressure: Γ = A q'' + H - J_cᵀ N.

        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        """
        return self.derive(
            "contact-inverse-dynamics",
            independent=independent,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def inverse_dynamics_derivatives(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Derivatives of the inverse dynamic model: dΓ = ∂Γ/∂q dq + ∂Γ/∂q' dq' + A dq''."""
        return self.derive("inverse-dynamics-derivatives", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def linearisation(self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False) -> Model:
        """Dynamics linearised about a state: ẋ = F x + G u,   x = (δq, δq'),   u = δΓ."""
        return self.derive("linearisation", fixed=fixed, inputs=inputs, base_parameters=base_parameters)

    def formulation(
        self,
        principle: str = "newton-euler",
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Equations of motion after one principle: Γ = A(q) q'' + H(q, q').

        principle: what they are derived from.
        """
        return self.derive(
            "formulation", principle=principle, fixed=fixed, inputs=inputs, base_parameters=base_parameters
        )

    def formulation_direct_dynamics(
        self,
        principle: str = "gauss",
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Direct dynamics after one principle: Z(q'') least with J q'' + J̇ q' = 0,   or   U D Uᵀ q'' = Γ - H.

        principle: least constraint, or Saha's factors.
        """
        return self.derive(
            "formulation-direct-dynamics",
            principle=principle,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def regressor(
        self,
        base_wrench: bool = False,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Dynamic identification model.

        Γ = Y(q, q', q'') χ,   χ: XX … M, IA, FV, FS, stiffness of every link, or the base parameters with FV, FS, stiffness.

        base_wrench: rows for the wrench that the base exerts on the robot come first.
        """
        return self.derive(
            "regressor", base_wrench=base_wrench, fixed=fixed, inputs=inputs, base_parameters=base_parameters
        )

    def closed_regressor(
        self,
        independent: tuple[str, ...] = (),
        mode: int | None = None,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
    ) -> Model:
        """Dynamic identification model of closed loops.

        Gᵀ Γ_tr = Y χ,   χ: XX … M, IA, FV, FS, stiffness of every link and cut joint, or the base parameters of the tree.

        independent: the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told.
        mode: a way to assemble the robot, by its number in loop_solution: q_a is given instead of q, all other coordinates follow.
        """
        return self.derive(
            "closed-regressor",
            independent=independent,
            mode=mode,
            fixed=fixed,
            inputs=inputs,
            base_parameters=base_parameters,
        )

    def base_parameter_values(
        self, *, fixed: Fixed = None, inputs: Sequence[str] = (), base_parameters: bool = False
    ) -> Model:
        """Base inertial parameters: χ_b = χ_kept + K χ_grouped.

        Not with base parameters: the values are those that the full parameters make.
        """
        return self.derive("base-parameter-values", fixed=fixed, inputs=inputs, base_parameters=base_parameters)
