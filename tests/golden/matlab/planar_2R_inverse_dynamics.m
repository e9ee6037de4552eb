function tau = planar_2R_inverse_dynamics(q, qd, qdd, k)
%PLANAR_2R_INVERSE_DYNAMICS  Inverse dynamics of planar 2R.
%
%  q    (2)  joint positions (rad): q1, q2
%  qd   (2)  joint velocities (rad/s): QP1, QP2
%  qdd  (2)  joint accelerations (rad/s²): QDP1, QDP2
%  k    what planar_2R_inverse_dynamics_setup gives
%  tau  (2)  joint torques (N·m): joint1, joint2
%
%  Robot     planar 2R
%  Model     inverse dynamics
%  Equation  Γ = A(q) q'' + H(q, q')
%  Source    Newton-Euler: Khalil (2010), eqs. 14-24
%  Options   base parameters = no
%  Cost      27 mul + 18 add + 4 trig + 1 other; on parameters alone 2 mul + 1 add
%  By        Armillary 0.1.0

S1 = sin(q(1));
C1 = cos(q(1));
VP11 = S1*k.g;
VP21 = C1*k.g;
S2 = sin(q(2));
C2 = cos(q(2));
W32 = qd(1) + qd(2);
WP32 = qdd(1) + qdd(2);
t1 = VP11 - qd(1)*qd(1)*k.L1;
t2 = VP21 + qdd(1)*k.L1;
VP12 = C2*t1 + S2*t2;
VP22 = C2*t2 - S2*t1;
t3 = W32*W32;
N31 = qdd(1)*k.c1 + VP21*k.MX1;
F12 = VP12*k.M2 - (t3*k.MX2 + WP32*k.MY2);
F22 = WP32*k.MX2 - t3*k.MY2 + VP22*k.M2;
N32 = VP22*k.MX2 - VP12*k.MY2 + WP32*k.ZZ2;
NE31 = N32 + k.L1*(S2*F12 + C2*F22) + N31;

tau = zeros(2, 1);
tau(1) = qd(1)*k.FV1 + sign(qd(1))*k.FS1 + NE31;
tau(2) = 1.5*N32;
end
