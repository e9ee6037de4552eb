/*
 * arm.h
 *
 * Robot     planar 2R
 * Model     inertia matrix
 *           momenta and energy
 * Equation  M(q)
 *           p = M(q) q', T = q'ᵀ p / 2
 * Source    any book on mechanics
 * Options   base parameters = yes
 * Cost      inertia_matrix: 3 mul + 3 add + 2 trig
 *           momenta: 14 mul + 10 add + 3 div + 4 trig
 *           on parameters alone: 4 mul + 2 add
 * By        Armillary x.y.z
 */
#ifndef ARM_H
#define ARM_H

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters. */
typedef struct {
    float L1;  /* length of the first link (m), default 0.3 */
    float ZZ1; /* inertias (kg·m²), default 0.9 */
    float ZZ2; /* inertias (kg·m²), default 0.25 */
    float M2;  /* mass of the second link (kg), default 1.5 */
    float MX2; /* first moments (kg·m), default 0.2 */
    float MY2; /* first moments (kg·m), default -0.1 */
} arm_parameters;

/* What depends on the parameters alone, worked out by arm_setup. */
typedef struct {
    float c1;
    float c2;
    float ZZ2;
    float ZZ1R;
} arm_constants;

/* Set every parameter to its default value. */
void arm_defaults(arm_parameters *p);

/*
 * Do the work on the parameters, once for every set of them.
 *
 * p  the parameters
 * k  what depends on the parameters alone
 */
void arm_setup(const arm_parameters *p, arm_constants *k);

/*
 * Inertia matrix of planar 2R.
 * Arrays hold matrices row by row.
 * What is given must not overlap what is taken.
 *
 * q[2]    joint positions (rad): q1, q2
 * k       what arm_setup has worked out
 * M[2*2]  inertia matrix (kg·m²)
 */
void inertia_matrix(const float q[2], const arm_constants *k, float M[2*2]);

/*
 * Momenta and energy of planar 2R.
 * What is given must not overlap what is taken.
 *
 * q[2]         joint positions (rad): q1, q2
 * qd[2]        joint velocities (rad/s): shoulder, elbow
 * k            what arm_setup has worked out
 * momentum[2]  generalised momenta (kg·m²/s): p1, p2
 * T            kinetic energy (J)
 * column[2]    first column of the inverse of M
 * tip[2]
 */
void momenta(
    const float q[2],
    const float qd[2],
    const arm_constants *k,
    float momentum[2],
    float *T,
    float column[2],
    float tip[2]);

#ifdef __cplusplus
}
#endif

#endif /* ARM_H */
