/*
 * momenta.c
 *
 * Robot     planar 2R
 * Model     momenta and energy
 * Equation  p = M(q) q', T = q'ᵀ p / 2
 * Source    any book on mechanics
 * Cost      14 mul + 10 add + 3 div + 4 trig; on parameters alone 4 mul + 2 add
 * By        Armillary x.y.z
 */
#include "momenta.h"

#include <math.h>

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

void momenta_defaults(momenta_parameters *restrict p)
{
    p->L1 = 0.3;
    p->ZZ1 = 0.9;
    p->ZZ2 = 0.25;
    p->M2 = 1.5;
    p->MX2 = 0.2;
    p->MY2 = -0.1;
}

void momenta_setup(const momenta_parameters *restrict p, momenta_constants *restrict k)
{
    k->c1 = p->L1*p->MX2;
    k->c2 = p->L1*p->MY2;
    k->ZZ2 = p->ZZ2;
    k->ZZ1R = p->ZZ1 + p->ZZ2 + p->L1*p->L1*p->M2;
}

void momenta(
    const double q[restrict 2],
    const double qd[restrict 2],
    const momenta_constants *restrict k,
    double momentum[restrict 2],
    double *restrict T,
    double column[restrict 2],
    double tip[restrict 2])
{
    const double S2 = sin(q[1]);
    const double C2 = cos(q[1]);
    const double t1 = C2*k->c1 - S2*k->c2;
    const double M12 = t1 + k->ZZ2;
    const double M11 = 2.0*t1 + k->ZZ1R;
    const double t2 = qd[0]*M11 + qd[1]*M12;
    const double t3 = qd[0]*M12 + qd[1]*k->ZZ2;
    double A[4] = {M11, M12, M12, k->ZZ2};
    double X[2] = {1.0, 0.0};
    solve(A, X, 2, 1);
    const double t4 = q[0] + q[1];
    const double S12 = sin(t4);
    const double C12 = cos(t4);

    momentum[0] = t2;
    momentum[1] = t3;
    *T = 0.5*(qd[0]*t2 + qd[1]*t3);
    column[0] = X[0];
    column[1] = X[1];
    tip[0] = C12;
    tip[1] = -2.0/3.0*S12;
}
