function k = planar_2R_inverse_dynamics_setup(p)
%PLANAR_2R_INVERSE_DYNAMICS_SETUP  Do the work on the parameters, once for every set of them.
%
%  p      struct of parameters
%  p.ZZ1  (kg·m²)
%  p.MX1  (kg·m)
%  p.FV1  viscous friction
%  p.FS1  dry friction
%  p.L1   length of the first link (m)
%  p.ZZ2  (kg·m²)
%  p.MX2  (kg·m)
%  p.MY2  (kg·m)
%  p.M2   (kg)
%  p.g    gravity (m/s²)
%  k      what depends on the parameters alone
%
%  Robot     planar 2R
%  Model     inverse dynamics
%  Equation  Γ = A(q) q'' + H(q, q')
%  Source    Newton-Euler: Khalil (2010), eqs. 14-24
%  Options   base parameters = no
%  Cost      27 mul + 18 add + 4 trig + 1 other; on parameters alone 2 mul + 1 add
%  By        Armillary 0.1.0

k.g = p.g;
k.L1 = p.L1;
k.c1 = p.ZZ1 + p.L1*p.M2*p.L1;
k.MX1 = p.MX1;
k.M2 = p.M2;
k.MX2 = p.MX2;
k.MY2 = p.MY2;
k.ZZ2 = p.ZZ2;
k.FV1 = p.FV1;
k.FS1 = p.FS1;
end
