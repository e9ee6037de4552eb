/*
 * arm.c
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
#include "arm.h"

#include <math.h>

/*
 * Solve A X = B by Gaussian elimination with row pivoting. A is n x n and B is n x m, both by rows;
 * A is destroyed, B becomes X. A singular A gives NaN.
 */
static void solve(float *restrict A, float *restrict B, int n, int m)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            if (fabsf(A[i*n + k]) > fabsf(A[pivot*n + k])) {
                pivot = i;
            }
        }
        for (int j = k; j < n && pivot != k; j++) {
            const float kept = A[k*n + j];
            A[k*n + j] = A[pivot*n + j];
            A[pivot*n + j] = kept;
        }
        for (int j = 0; j < m && pivot != k; j++) {
            const float kept = B[k*m + j];
            B[k*m + j] = B[pivot*m + j];
            B[pivot*m + j] = kept;
        }
        const float reciprocal = A[k*n + k] != 0.0f ? 1.0f/A[k*n + k] : (float)NAN;
        for (int i = k + 1; i < n; i++) {
            const float factor = A[i*n + k]*reciprocal;
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

void arm_defaults(arm_parameters *restrict p)
{
    p->L1 = 0.3f;
    p->ZZ1 = 0.9f;
    p->ZZ2 = 0.25f;
    p->M2 = 1.5f;
    p->MX2 = 0.2f;
    p->MY2 = -0.1f;
}

void arm_setup(const arm_parameters *restrict p, arm_constants *restrict k)
{
    k->c1 = p->L1*p->MX2;
    k->c2 = p->L1*p->MY2;
    k->ZZ2 = p->ZZ2;
    k->ZZ1R = p->ZZ1 + p->ZZ2 + p->L1*p->L1*p->M2;
}

void inertia_matrix(
    const float q[restrict 2],
    const arm_constants *restrict k,
    float M[restrict 2*2])
{
    const float S2 = sinf(q[1]);
    const float C2 = cosf(q[1]);
    const float t1 = C2*k->c1 - S2*k->c2;

    M[0] = 2.0f*t1 + k->ZZ1R;
    M[1] = t1 + k->ZZ2;
    M[2] = M[1];
    M[3] = k->ZZ2;
}

void momenta(
    const float q[restrict 2],
    const float qd[restrict 2],
    const arm_constants *restrict k,
    float momentum[restrict 2],
    float *restrict T,
    float column[restrict 2],
    float tip[restrict 2])
{
    const float S2 = sinf(q[1]);
    const float C2 = cosf(q[1]);
    const float t1 = C2*k->c1 - S2*k->c2;
    const float M12 = t1 + k->ZZ2;
    const float M11 = 2.0f*t1 + k->ZZ1R;
    const float t2 = M11*qd[0] + M12*qd[1];
    const float t3 = M12*qd[0] + k->ZZ2*qd[1];
    float A[4] = {M11, M12, M12, k->ZZ2};
    float X[2] = {1.0f, 0.0f};
    solve(A, X, 2, 1);
    const float t4 = q[0] + q[1];
    const float S12 = sinf(t4);
    const float C12 = cosf(t4);

    momentum[0] = t2;
    momentum[1] = t3;
    *T = 0.5f*(qd[0]*t2 + qd[1]*t3);
    column[0] = X[0];
    column[1] = X[1];
    tip[0] = C12;
    tip[1] = -2.0f/3.0f*S12;
}
