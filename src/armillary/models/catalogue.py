"""The catalogue: every model there is, one row each. Methods, command line and reference are made from it."""

from armillary.models import (
    closed_dynamics,
    contact,
    dynamic,
    elastic,
    floating,
    fluid,
    geometric,
    identification,
    kinematic,
    loops,
    parallel,
    sensitivity,
    transmission,
)
from armillary.models.entry import Entry

CATALOGUE: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        geometric.POSE,
        *kinematic.ENTRIES,
        *dynamic.ENTRIES,
        *floating.ENTRIES,
        *elastic.ENTRIES,
        *fluid.ENTRIES,
        *transmission.ENTRIES,
        *loops.ENTRIES,
        *closed_dynamics.ENTRIES,
        *parallel.ENTRIES,
        *contact.ENTRIES,
        *sensitivity.ENTRIES,
        *identification.ENTRIES,
    )
}
"""Every model by its name."""
