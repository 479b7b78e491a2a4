"""What goes wrong in a cluster, brought about on purpose: roles have rights for these cases, too."""

import json

import scenario
from scenario import NS, QUEUE, thing
from support import processes


class Trouble:
    """Each method is one thing that goes wrong. `roles` are replicas by role, each behind a Link."""

    def __init__(self, installed, roles):
        self.at = installed
        self.roles = roles

    def wait(self, what, condition, seconds=60):
        return processes.wait_until(what, seconds, condition, every=0.2)

    def leader(self, role):
        return next(r for r in self.roles[role] if "lease: held, renewed" in r.answers("/healthz?verbose"))

    def asked(self, role, verb, resource, name=None):
        """How often the role's account has done this."""
        return sum(1 for account, did, _, what, which, _, code in self.at.all_requests()
                   if (account, did, what) == (f"basalt-{role}", verb, resource) and code < 300
                   and name in (None, which))

    def bind_without_an_answer(self):
        """The bind arrives; its answer is lost with the connection."""
        link = self.leader("scheduler").link
        link.questions.hold()
        try:
            self.at.apply(thing("v1", "Pod", "unanswered", **scenario.template(runs="1h", cpu="100m")))
            self.wait("the bind to be on its way", lambda: link.questions.held > 0)
            link.answers.hold()
            link.questions.release()
            self.wait("the bind to arrive", lambda: self.asked("scheduler", "create", "pods/binding", "unanswered"))
        finally:
            link.mend()
        self.wait("the scheduler to look what became of it", lambda: self.asked(
            "scheduler", "get", "pods", "unanswered"))

    def group_that_changes_meanwhile(self):
        """Somebody writes to a group while its status is on its way. What is held up may be something else, so more than
        one may be needed."""
        for number in range(10):
            name = f"touched-{number}"
            self.touch_on_the_way(self.leader("scheduler").link, name)
            self.wait("its status", lambda n=name: self.phase_of(n) == "Running")
            if self.asked("scheduler", "get", "podgroups"):
                return
        raise AssertionError("no group was read again")

    def touch_on_the_way(self, link, name):
        link.questions.hold()
        try:
            self.at.apply(thing(QUEUE, "PodGroup", name, spec={"minMember": 1, "queue": "default"}))
            self.add_to_group(name, name)
            self.wait("the status to be on its way", lambda: link.questions.held > 0)
            self.at.kubectl("label", "podgroup", name, "-n", NS, "touched=yes")
        finally:
            link.questions.release()

    def group_that_is_ready_again(self):
        """Its pod goes and another comes: the same is said of the group twice. Where the next one comes before anything
        was said of the group without pods, nothing has changed: more than one may be needed."""
        last = "touched-0"
        for number in range(10):
            self.at.kubectl("delete", "pod", last, "-n", NS)
            self.wait("the group to be empty", lambda: self.phase_of("touched-0") != "Running")
            last = f"touched-again-{number}"
            self.add_to_group("touched-0", last)
            self.wait("its status", lambda: self.phase_of("touched-0") == "Running")
            if self.asked("scheduler", "patch", "events"):
                return
        raise AssertionError("no event was counted")

    def phase_of(self, group):
        return self.at.get("podgroup", group, "-n", NS).get("status", {}).get("phase")

    def add_to_group(self, group, name):
        self.at.apply(thing("v1", "Pod", name, metadata={"annotations": {
            "scheduling.k8s.io/group-name": group, "basalt.sh/run-duration": "1h"}}, spec=scenario.pod_spec("100m")))

    def command_that_is_none(self):
        """Twice the same to a queue: one event, counted."""
        queue = self.at.get("queues.scheduling.volcano.sh", "default")["metadata"]
        for i in range(2):
            target = {"apiVersion": QUEUE, "kind": "Queue", "name": "default", "uid": queue["uid"]}
            self.at.apply(thing("bus.volcano.sh/v1alpha1", "Command", f"nonsense-{i}", metadata={
                "ownerReferences": [target]}, action="Nonsense", target=target))
            self.wait("the command to be dropped", lambda n=f"nonsense-{i}": n not in self.at.kubectl(
                "get", "commands.bus.volcano.sh", "-A"))
        self.wait("the event to be counted", lambda: self.asked("controller", "patch", "events"))

    def certificate_that_is_none(self):
        """Somebody has spoilt the webhook's authority: it makes another."""
        self.at.kubectl("patch", "secret", "basalt-webhook", "-n", "volcano-system", "--type=merge", "-p",
                        json.dumps({"data": {"ca.crt": "eA=="}}))
        for number, replica in enumerate(list(self.roles["webhook"])):
            replica.stop()
            again = self.at.role("basalt-webhook", 10 + number)
            self.roles["webhook"][number] = again
            again.wait_until_ready()
        assert self.asked("webhook", "patch", "secrets"), "the certificate stayed as it was"

    def reservation_without_an_answer(self):
        """The descheduler's reservation arrives; its answer is lost."""
        cluster = scenario.Scenario(self.at)
        link = self.leader("descheduler").link
        cluster.make_fragments()
        self.wait("the descheduler to see them", lambda: json.loads(
            cluster.basalt("defrag", "plan", "-o", "json"))["moves"])
        made, read = (self.asked("descheduler", *what) for what in (("create", "reservations"), ("get", "pods")))
        link.questions.hold()
        try:
            cluster.basalt("defrag", "run", "--no-wait")

            def pod_is_read():
                if self.asked("descheduler", "get", "pods") > read:
                    return True
                link.questions.step()
                return False
            self.wait("the pod to be read first", pod_is_read)
            self.wait("the reservation to be on its way", lambda: link.questions.held > 0)
            link.answers.hold()
            link.questions.release()
            self.wait("the reservation to arrive", lambda: self.asked("descheduler", "create", "reservations") > made)
        finally:
            link.mend()
        self.wait("the descheduler to look for it", lambda: self.asked("descheduler", "get", "reservations"))
        cluster.fragments_go()
        self.wait("its event to be counted", lambda: self.asked("descheduler", "patch", "events"))

    def steps(self):
        for step in (self.reservation_without_an_answer, self.bind_without_an_answer,
                     self.group_that_changes_meanwhile, self.group_that_is_ready_again,
                     self.command_that_is_none, self.certificate_that_is_none):
            yield step.__name__, step
