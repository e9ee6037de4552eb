"""Program → Program: the same values for fewer operations. One pass a file; `pipeline` names the sequences."""

from armillary.passes.pipeline import DEFAULT, PASSES, Pass, optimise

__all__ = ["DEFAULT", "PASSES", "Pass", "optimise"]
