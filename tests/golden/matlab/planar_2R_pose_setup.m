function k = planar_2R_pose_setup(p)
%PLANAR_2R_POSE_SETUP  Do the work on the parameters, once for every set of them.
%
%  p     struct of parameters
%  p.L1  length of the first link (m)
%  k     what depends on the parameters alone
%
%  Robot     planar 2R
%  Model     pose of a frame
%  Cost      2 mul + 1 add + 4 trig
%  By        Armillary 0.1.0

k.L1 = p.L1;
end
