"""Vectors, rotations, transforms, rates and inertias over any scalar, in the forms that cost least."""
