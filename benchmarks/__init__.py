"""What Armillary costs, beside its peers, measured on this machine: `python -m benchmarks`, or `make bench`."""
