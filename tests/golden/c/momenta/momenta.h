/*
 * momenta.h
 *
 * Robot     planar 2R
 * Model     momenta and energy
 * Equation  p = M(q) q', T = q'ᵀ p / 2
 * Source    any book on mechanics
 * Cost      14 mul + 10 add + 3 div + 4 trig; on parameters alone 4 mul + 2 add
 * By        Armillary x.y.z
 */
#ifndef MOMENTA_H
#define MOMENTA_H

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters. */
typedef struct {
    double L1;  /* length of the first link (m), default 0.3 */
    double ZZ1; /* inertias (kg·m²), default 0.9 */
    double ZZ2; /* inertias (kg·m²), default 0.25 */
    double M2;  /* mass of the second link (kg), default 1.5 */
    double MX2; /* first moments (kg·m), default 0.2 */
    double MY2; /* first moments (kg·m), default -0.1 */
} momenta_parameters;

/* What depends on the parameters alone, worked out by momenta_setup. */
typedef struct {
    double c1;
    double c2;
    double ZZ2;
    double ZZ1R;
} momenta_constants;

/* Set every parameter to its default value. */
void momenta_defaults(momenta_parameters *p);

/*
 * Do the work on the parameters, once for every set of them.
 *
 * p  the parameters
 * k  what depends on the parameters alone
 */
void momenta_setup(const momenta_parameters *p, momenta_constants *k);

/*
 * Momenta and energy of planar 2R.
 * What is given must not overlap what is taken.
 *
 * q[2]         joint positions (rad): q1, q2
 * qd[2]        joint velocities (rad/s): shoulder, elbow
 * k            what momenta_setup has worked out
 * momentum[2]  generalised momenta (kg·m²/s): p1, p2
 * T            kinetic energy (J)
 * column[2]    first column of the inverse of M
 * tip[2]
 */
void momenta(
    const double q[2],
    const double qd[2],
    const momenta_constants *k,
    double momentum[2],
    double *T,
    double column[2],
    double tip[2]);

#ifdef __cplusplus
}
#endif

#endif /* MOMENTA_H */
