/*
 * close_loop.h
 *
 * Robot     four-bar linkage
 * Model     closure of the loop
 * Equation  r(x) = 0
 * Options   method = newton
 * Cost      four_bar: 6 mul + 5 add + 6 trig
 *           close_loop_check: 0 mul + 0 add + 4 other
 *           close_loop_step: 3 mul + 6 add + 3 div + 3 other
 * By        Armillary x.y.z
 */
#ifndef CLOSE_LOOP_H
#define CLOSE_LOOP_H

#ifdef __cplusplus
extern "C" {
#endif

/* How it ended. */
typedef enum {
    CLOSE_LOOP_CONVERGED = 0,     /* every residual is smaller than the tolerance */
    CLOSE_LOOP_NOT_CONVERGED = 1, /* a residual is not, after 20 steps */
    CLOSE_LOOP_SINGULAR = 2       /* the derivative has no inverse, or a value is no number */
} close_loop_status;

/*
 * close_loop: closure of the loop of four-bar linkage.
 * Arrays hold matrices row by row; what is given must not overlap what is taken.
 *
 * x_start[2]  angles of coupler and rocker (rad): x[0], x[1]
 * tolerance   largest residual, usually 1e-12
 * q           angle of the crank (rad)
 * l1          (m)
 * l2          (m)
 * l3          (m)
 * l4          (m)
 * x[2]        angles of coupler and rocker (rad)
 * steps       number of steps taken
 */
close_loop_status close_loop(
    const double x_start[2],
    double tolerance,
    double q,
    double l1,
    double l2,
    double l3,
    double l4,
    double x[2],
    double *steps);

#ifdef __cplusplus
}
#endif

#endif /* CLOSE_LOOP_H */
