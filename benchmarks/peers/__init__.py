"""Other systems, made to do the same work. One that is not there is `Missing`, which says why."""


class Missing(Exception):
    """A peer that cannot be measured here."""
