"""Says why two schedulers did not come to the same end, where that is one of the known reasons.

Each class is explained in docs/differences.md. What has none of them is a failure.
"""

from collections import Counter

CLASSES = {
    "ties": "Volcano takes one of several equal nodes, or of equal victims, at random",
    "gang in part": "Volcano binds a part of a gang, which Basalt never does",
    "promises": "Basalt keeps the room for whom it was made; Volcano gives it to who comes first",
    "fewer victims": "Basalt gives back victims that are not needed after all",
    "other victims": "Basalt takes the least valuable pods of a gang, and judges a node with its victims gone",
}


def shape(world, cycle):
    """What a cycle did, pods of a group being alike: binds and evictions of each group."""
    return (Counter(world.group_of[pod] for pod in cycle["binds"]),
            Counter(world.group_of[pod] for pod in cycle["evictions"]))


def first_difference(world, ours, theirs):
    empty = {"binds": {}, "evictions": [], "promises": {}}
    for number in range(max(len(ours), len(theirs))):
        a = ours[number] if number < len(ours) else empty
        b = theirs[number] if number < len(theirs) else empty
        if shape(world, a) != shape(world, b):
            return number, a, b
    return None, empty, empty


def classify(ours, theirs, our_cycles, their_cycles, their_outcomes):
    """`ours` and `theirs` are Worlds; `their_outcomes` are those of many runs of Volcano."""
    if ours.outcome() in their_outcomes:
        return "ties"
    if any(" of " in complaint for complaint in theirs.broken):
        return "gang in part"
    number, a, b = first_difference(ours, our_cycles, their_cycles)
    if number is None:
        return None
    binds, evictions = shape(ours, a)
    their_binds, their_evictions = shape(ours, b)
    if evictions != their_evictions:
        if all(evictions[g] <= their_evictions[g] for g in ours.groups):
            return "fewer victims"
        return "other victims"
    if binds != their_binds and number > 0 and our_cycles[number - 1]["promises"]:
        return "promises"
    if any(outcome != their_outcomes[0] for outcome in their_outcomes):
        return "ties"
    return None


def known_fault(complaint):
    """The name of a fault of Volcano's, of those that are known; None: another."""
    if " of " in complaint:
        return "gang in part"
    if "does not run" in complaint:
        return "evicted while it was being bound"
    return None
