"""A real API server that notes who wrote what."""

import collections
import json
import time

from support import cluster, processes

USERS = ("basalt", "volcano", "nodes")
AUDIT_POLICY = """apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- {level: Metadata, verbs: [create, update, patch, delete, deletecollection]}
- {level: None}
"""


class Audited:
    """A cluster whose API server notes every write, with a user for each contender."""

    def __init__(self, folder, users=USERS):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "policy.yaml").write_text(AUDIT_POLICY)
        (folder / "tokens.csv").write_text(
            "".join(f'token-{user},{user},{user},"system:masters"\n' for user in users))
        self.log = folder / "audit.log"
        self.cluster = cluster.Cluster(bare=True, api_flags=(
            f"--audit-policy-file={folder}/policy.yaml", f"--audit-log-path={self.log}",
            "--audit-log-mode=blocking", f"--token-auth-file={folder}/tokens.csv"))

    def kubeconfig(self, user):
        config = json.loads(self.cluster.kubeconfig.read_text())
        config["users"][0]["user"] = {"token": f"token-{user}"}
        path = self.folder / f"{user}.kubeconfig"
        path.write_text(json.dumps(config))
        path.chmod(0o600)
        return path

    def writes(self, user):
        """How often the user wrote what, successfully or not."""
        counts = collections.Counter()
        with open(self.log, encoding="utf-8") as log:
            for line in log:
                event = json.loads(line)
                if event["user"]["username"] != user:
                    continue
                about = event.get("objectRef", {})
                what = about.get("resource", "?")
                if about.get("subresource"):
                    what += "/" + about["subresource"]
                counts[f"{event['verb']} {what}"] += 1
        return counts

    def wait_until_quiet(self, user, seconds=3):
        """Until the user has written nothing for a while."""
        last, since = None, time.monotonic()

        def quiet():
            nonlocal last, since
            now = sum(self.writes(user).values())
            if now != last:
                last, since = now, time.monotonic()
            return time.monotonic() - since >= seconds
        processes.wait_until(f"{user} to be quiet", 300, quiet, every=1)
