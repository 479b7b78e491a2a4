"""What two schedulers did otherwise: of each pod what became of it, and of an end that is not the same why.

`fates` has the classes that `basalt shadow report` counts, from the decisions of both. CLASSES are the known reasons; each is
explained in docs/differences.md. What has none of them is a failure.
"""

from collections import Counter

# What became of a pod, seen from Basalt, as docs/migrate.md has it.
PLACED = ("agreed", "earlier", "later", "elsewhere", "only_ours")
EVICTED = ("both", "only_theirs", "only_ours")


def place_class(ours, theirs, tolerance):
    """`ours` are the (when, node) of each decision on the pod; `theirs` is where it went, None: nowhere, ever."""
    if theirs is None:
        return "only_ours" if ours else None
    when, node = theirs
    before = sorted(decision for decision in ours if decision[0] <= when)
    if not before:
        return "later"
    if before[-1][1] != node:
        return "elsewhere"
    return "earlier" if when - before[0][0] > tolerance else "agreed"


def evict_class(ours, theirs):
    """When Basalt would have evicted it first, and when the other has; None: not at all."""
    if theirs is None:
        return None if ours is None else "only_ours"
    return "both" if ours is not None and ours <= theirs else "only_theirs"


class Decisions:
    """What one of them decided: pod: [(when, node)], pod: when."""

    def __init__(self):
        self.places = {}
        self.evictions = {}

    def place(self, when, pod, node):
        self.places.setdefault(pod, []).append((when, node))

    def evict(self, when, pod):
        self.evictions.setdefault(pod, when)


def fates(ours, theirs, tolerance):
    """(pods of each class of PLACED, pods of each class of EVICTED)."""
    placed = Counter({name: 0 for name in PLACED})
    evicted = Counter({name: 0 for name in EVICTED})
    for pod in {**ours.places, **theirs.places}:
        their = theirs.places.get(pod)
        which = place_class(ours.places.get(pod, []), their[0] if their else None, tolerance)
        placed[which] += which is not None
    for pod in {**ours.evictions, **theirs.evictions}:
        evicted[evict_class(ours.evictions.get(pod), theirs.evictions.get(pod))] += 1
    return placed, evicted


def decisions_of(cycles):
    """Those of an answer, where time is counted in cycles. A promise is where a pod will go."""
    found = Decisions()
    for number, cycle in enumerate(cycles):
        for pod, node in {**cycle.get("promises", {}), **cycle["binds"]}.items():
            found.place(number, pod, node)
        for pod in cycle["evictions"]:
            found.evict(number, pod)
    return found

CLASSES = {
    "ties": "Volcano takes one of several equal nodes, or of equal victims, at random",
    "gang in part": "Volcano binds a part of a gang, which Basalt never does",
    "promises": "Basalt keeps the room for whom it was made; Volcano gives it to who comes first",
    "fewer victims": "Basalt gives back victims that are not needed after all",
    "full node": "Volcano sends best-effort pods to a node that takes no more pods, each cycle again",
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


def is_sent_to_a_full_node(ours, theirs):
    """All that Volcano runs, Basalt runs too; what more it runs asks for nothing; a node of Volcano's has all its pods."""
    more = set(ours.home) - set(theirs.home)
    return (set(theirs.home) <= set(ours.home) and more and all(ours.pods[pod] == (0, 0) for pod in more)
            and any(theirs.used(node)[2] == room[2] for node, room in theirs.room.items()))


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
    if is_sent_to_a_full_node(ours, theirs):
        return "full node"
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
