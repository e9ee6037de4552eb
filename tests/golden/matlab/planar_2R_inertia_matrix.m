function A = planar_2R_inertia_matrix(q, k)
%PLANAR_2R_INERTIA_MATRIX  Inertia matrix of planar 2R.
%
%  q  (2)  joint positions (rad): q1, q2
%  k  what planar_2R_inertia_matrix_setup gives
%  A  (2 x 2)  inertia matrix (kg·m²): rows joint1, joint2; columns joint1, joint2
%
%  Robot     planar 2R
%  Model     inertia matrix
%  Equation  A(q) with energy ½ q'ᵀ A q'
%  Cost      3 mul + 3 add + 1 trig; on parameters alone 2 mul + 1 add
%  By        Armillary 0.1.0

C2 = cos(q(2));
t1 = C2*k.MX2*k.L1;

A = zeros(2, 2);
A(1, 1) = k.ZZ2 + 2*t1 + k.c1;
A(1, 2) = t1 + k.ZZ2;
A(2, 1) = A(1, 2);
A(2, 2) = k.ZZ2;
end
