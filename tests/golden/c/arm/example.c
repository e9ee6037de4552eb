/*
 * example.c
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
 *
 * cc -std=c99 -O2 example.c arm.c -lm -o example
 */
#include "arm.h"

#include <stdio.h>

static void print(const char *name, const float *x, int rows, int columns)
{
    printf("%s =\n", name);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            printf(" % .9g", (double)x[i*columns + j]);
        }
        printf("\n");
    }
}

int main(void)
{
    arm_parameters p;
    arm_constants k;
    const float q[2] = {0.1f, 0.2f};
    const float qd[2] = {0.3f, 0.4f};
    float M[2*2];
    float momentum[2];
    float T;
    float column[2];
    float tip[2];

    arm_defaults(&p);
    arm_setup(&p, &k);
    inertia_matrix(q, &k, M);
    momenta(q, qd, &k, momentum, &T, column, tip);

    print("M", M, 2, 2);
    print("momentum", momentum, 1, 2);
    print("T", &T, 1, 1);
    print("column", column, 1, 2);
    print("tip", tip, 1, 2);

    return 0;
}
