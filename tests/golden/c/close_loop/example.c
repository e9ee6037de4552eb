/*
 * example.c
 *
 * Robot     four-bar linkage
 * Model     closure of the loop
 * Equation  r(x) = 0
 * Options   method = newton
 * Cost      four_bar: 6 mul + 5 add + 6 trig
 *           close_loop_check: 0 mul + 0 add + 4 other
 *           close_loop_step: 3 mul + 6 add + 3 div + 3 other
 * By        Armillary x.y.z
 *
 * cc -std=c99 -O2 example.c close_loop.c -lm -o example
 */
#include "close_loop.h"

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
    const double x_start[2] = {0.1, 0.2};
    const double tolerance = 1e-12;
    const double q = 0.3;
    const double l1 = 0.4;
    const double l2 = 0.5;
    const double l3 = 0.6;
    const double l4 = 0.7;
    double x[2];
    double steps;

    const close_loop_status status = close_loop(x_start, tolerance, q, l1, l2, l3, l4, x, &steps);
    printf("status %d\n", (int)status);

    print("x", x, 1, 2);
    print("steps", &steps, 1, 1);

    return 0;
}
