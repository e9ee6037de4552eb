/*
 * close_loop.c
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
#include "close_loop.h"

#include <math.h>

/* The larger; NaN if either is. */
static double larger(double a, double b)
{
    return a > b || a != a ? a : b;
}

/*
 * Solve A X = B by Gaussian elimination with row pivoting. A is n x n and B is n x m, both by rows;
 * A is destroyed, B becomes X. A singular A gives NaN.
 */
static void solve(double *restrict A, double *restrict B, int n, int m)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            if (fabs(A[i*n + k]) > fabs(A[pivot*n + k])) {
                pivot = i;
            }
        }
        for (int j = k; j < n && pivot != k; j++) {
            const double kept = A[k*n + j];
            A[k*n + j] = A[pivot*n + j];
            A[pivot*n + j] = kept;
        }
        for (int j = 0; j < m && pivot != k; j++) {
            const double kept = B[k*m + j];
            B[k*m + j] = B[pivot*m + j];
            B[pivot*m + j] = kept;
        }
        const double reciprocal = A[k*n + k] != 0.0 ? 1.0/A[k*n + k] : (double)NAN;
        for (int i = k + 1; i < n; i++) {
            const double factor = A[i*n + k]*reciprocal;
            for (int j = k + 1; j < n; j++) {
                A[i*n + j] -= factor*A[k*n + j];
            }
            for (int j = 0; j < m; j++) {
                B[i*m + j] -= factor*B[k*m + j];
            }
        }
        A[k*n + k] = reciprocal;
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j < m; j++) {
            for (int k = i + 1; k < n; k++) {
                B[i*m + j] -= A[i*n + k]*B[k*m + j];
            }
            B[i*m + j] *= A[i*n + i];
        }
    }
}

static void copy(double *restrict to, const double *restrict from, int n)
{
    for (int i = 0; i < n; i++) {
        to[i] = from[i];
    }
}

static void four_bar(
    const double x[restrict 2],
    double q,
    double l1,
    double l2,
    double l3,
    double l4,
    double r[restrict 2],
    double J[restrict 2*2])
{
    const double S_x1 = sin(x[0]);
    const double C_x1 = cos(x[0]);
    const double S_x2 = sin(x[1]);
    const double C_x2 = cos(x[1]);
    const double S_q = sin(q);
    const double C_q = cos(q);
    const double t1 = l2*C_x1;
    const double t2 = l3*C_x2;
    const double t3 = l2*S_x1;
    const double t4 = l3*S_x2;

    r[0] = l1*C_q + t1 - l4 - t2;
    r[1] = l1*S_q + t3 - t4;
    J[0] = -t3;
    J[1] = t4;
    J[2] = t1;
    J[3] = -t2;
}

static void close_loop_check(
    const double residual[restrict 2],
    double tolerance,
    double *restrict converged)
{
    const double t1 = larger(fabs(residual[0]), fabs(residual[1]));

    *converged = (t1 < tolerance ? 1.0 : 0.0);
}

static void close_loop_step(
    const double x[restrict 2],
    const double residual[restrict 2],
    const double jacobian[restrict 2*2],
    double next[restrict 2],
    double *restrict regular)
{
    double A[4] = {jacobian[0], jacobian[1], jacobian[2], jacobian[3]};
    double X[2] = {residual[0], residual[1]};
    solve(A, X, 2, 1);

    next[0] = x[0] - X[0];
    next[1] = x[1] - X[1];
    *regular = (fabs(X[0]) + fabs(X[1]) < 1e+300 ? 1.0 : 0.0);
}

close_loop_status close_loop(
    const double x_start[restrict 2],
    double tolerance,
    double q,
    double l1,
    double l2,
    double l3,
    double l4,
    double x[restrict 2],
    double *restrict steps)
{
    double residual[2];
    double jacobian[2*2];
    double next[2];
    double converged;
    double regular;

    copy(x, x_start, 2);
    for (int k = 0; k < 21; k++) {
        four_bar(x, q, l1, l2, l3, l4, residual, jacobian);
        *steps = (double)k;
        close_loop_check(residual, tolerance, &converged);
        if (converged > 0.0) {
            return CLOSE_LOOP_CONVERGED;
        }
        close_loop_step(x, residual, jacobian, next, &regular);
        if (regular > 0.0) {
            copy(x, next, 2);
        } else {
            return CLOSE_LOOP_SINGULAR;
        }
    }
    return CLOSE_LOOP_NOT_CONVERGED;
}
