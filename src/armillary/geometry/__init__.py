"""Poses of frames, over any scalar."""
