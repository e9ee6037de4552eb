function T = planar_2R_pose(q, k)
%PLANAR_2R_POSE  Pose of a frame of planar 2R.
%
%  q  (2)  joint positions (rad): shoulder_lift, elbow
%  k  what planar_2R_pose_setup gives
%  T  (4 x 4)  pose of link 2 in the base
%
%  Robot     planar 2R
%  Model     pose of a frame
%  Cost      2 mul + 1 add + 4 trig
%  By        Armillary 0.1.0

t1 = q(1) + q(2);
S12 = sin(t1);
C12 = cos(t1);
S1 = sin(q(1));
C1 = cos(q(1));

T = zeros(4, 4);
T(1, 1) = C12;
T(1, 2) = -S12;
T(1, 4) = C1*k.L1;
T(2, 1) = S12;
T(2, 2) = C12;
T(2, 4) = S1*k.L1;
T(3, 3) = 1;
T(3, 4) = pi/2;
T(4, 4) = 1;
end
