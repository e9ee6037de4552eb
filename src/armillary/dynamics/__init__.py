"""Forces, inertias and energies of a tree of rigid links, one algorithm a file, over any scalar."""
