/*
 * example.c
 *
 * Robot     planar 2R
 * Model     momenta and energy
 * Equation  p = M(q) q', T = q'ᵀ p / 2
 * Source    any book on mechanics
 * Cost      14 mul + 10 add + 3 div + 4 trig; on parameters alone 4 mul + 2 add
 * By        Armillary x.y.z
 *
 * cc -std=c99 -O2 example.c momenta.c -lm -o example
 */
#include "momenta.h"

#include <stdio.h>

static void print(const char *name, const double *x, int rows, int columns)
{
    printf("%s =\n", name);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            printf(" % .17g", x[i*columns + j]);
        }
        printf("\n");
    }
}

int main(void)
{
    momenta_parameters p;
    momenta_constants k;
    const double q[2] = {0.1, 0.2};
    const double qd[2] = {0.3, 0.4};
    double momentum[2];
    double T;
    double column[2];
    double tip[2];

    momenta_defaults(&p);
    momenta_setup(&p, &k);
    momenta(q, qd, &k, momentum, &T, column, tip);

    print("momentum", momentum, 1, 2);
    print("T", &T, 1, 1);
    print("column", column, 1, 2);
    print("tip", tip, 1, 2);

    return 0;
}
