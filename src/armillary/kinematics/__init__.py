"""Velocities, accelerations and Jacobians of a tree's links, one algorithm a file, over any scalar."""
