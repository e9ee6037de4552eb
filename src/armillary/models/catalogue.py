"""The catalogue: every model there is, one row each. Methods, command line and reference are made from it."""

from armillary.models import (
    closed_dynamics,
    contact,
    dynamic,
    elastic,
    floating,
    fluid,
    formulations,
    geometric,
    identification,
    kinematic,
    loops,
    parallel,
    sensitivity,
    subsystems,
    transmission,
    wheels,
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
        *wheels.ENTRIES,
        *closed_dynamics.ENTRIES,
        *parallel.ENTRIES,
        *subsystems.ENTRIES,
        *contact.ENTRIES,
        *sensitivity.ENTRIES,
        *formulations.ENTRIES,
        *identification.ENTRIES,
    )
}
"""Every model by its name."""
