function k = planar_2R_inertia_matrix_setup(p)
%PLANAR_2R_INERTIA_MATRIX_SETUP  Do the work on the parameters, once for every set of them.
%
%  p     struct of parameters: ZZ1, ZZ2, MX2, M2
%  p.L1  length of the first link (m)
%  k     what depends on the parameters alone
%
%  Robot     planar 2R
%  Model     inertia matrix
%  Equation  A(q) with energy ½ q'ᵀ A q'
%  Cost      3 mul + 3 add + 1 trig; on parameters alone 2 mul + 1 add
%  By        Armillary 0.1.0

k.MX2 = p.MX2;
k.L1 = p.L1;
k.ZZ2 = p.ZZ2;
k.c1 = p.ZZ1 + p.L1*p.L1*p.M2;
end
