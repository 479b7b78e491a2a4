"""A real cluster with Basalt's chart on it, and its roles as processes: each from the image's root, with
its own service account's token and the arguments of its Deployment."""

import base64
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile

from support import cluster, image_root, processes, tools

CHART = tools.ROOT / "deploy" / "helm" / "basalt"
NAMESPACE = "volcano-system"
AUDIT_POLICY = """apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- {level: Metadata, userGroups: ["system:serviceaccounts:volcano-system"]}
- {level: None}
"""
ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount"


def helm(*arguments, kubeconfig=None):
    flags = ["--kubeconfig", str(kubeconfig)] if kubeconfig else []
    result = subprocess.run([str(tools.CLUSTER_BIN / "helm"), *map(str, arguments), *flags], text=True,
                            capture_output=True, check=False)
    assert result.returncode == 0, f"helm {arguments[0]}: {result.stderr[-2000:]}"
    return result.stdout


class Installed:
    """Use it with `with`. Guarded owners: the API server asks for rights on owners as OpenShift's does."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="basalt-install-"))
        self.folder.chmod(0o755)  # the image's user has to get in
        self.audit_log = self.folder / "audit.log"
        (self.folder / "audit.yaml").write_text(AUDIT_POLICY)
        self.cluster = cluster.Cluster(api_flags=(
            f"--audit-policy-file={self.folder}/audit.yaml", f"--audit-log-path={self.audit_log}",
            "--audit-log-mode=blocking",
            "--enable-admission-plugins=OwnerReferencesPermissionEnforcement"))
        self.children = []

    def __enter__(self):
        try:
            self.cluster.start()
            image = image_root.make(self.folder / "image")
            layers = json.loads((image / "oci" / "index.json").read_text())["manifests"][0]
            manifest = json.loads(self._blob(image, layers["digest"]).read_text())
            self.unpacked = self.folder / "unpacked"
            image_root.unpack([self._blob(image, layer["digest"]) for layer in manifest["layers"]],
                              self.unpacked)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for child in self.children:
            child.stop()
        self.cluster.stop()
        subprocess.run(["rm", "-rf", str(self.folder)], check=False)

    @staticmethod
    def _blob(image, digest):
        return image / "oci" / "blobs" / "sha256" / digest.split(":")[1]

    def kubectl(self, *arguments, text=None, check=True):
        result = subprocess.run([str(tools.CLUSTER_BIN / "kubectl"), "--kubeconfig",
                                 str(self.cluster.kubeconfig), *arguments], input=text, text=True,
                                check=False, capture_output=True)
        if check and result.returncode != 0:
            raise AssertionError(f"kubectl {' '.join(arguments)}: {result.stderr.strip()}")
        return result.stdout

    def wait_for_kinds(self):
        """Until all are served. kubectl gives up at once on one that has no status yet."""
        processes.wait_until("the kinds", 60, lambda: self.kubectl(
            "wait", "--for=condition=Established", "--timeout=60s", "crd", "--all"))

    def get(self, *arguments):
        return json.loads(self.kubectl("get", *arguments, "-o", "json"))

    def apply(self, *objects):
        self.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", text=json.dumps(
            {"apiVersion": "v1", "kind": "List", "items": list(objects)}))

    def helm(self, *arguments):
        return helm(*arguments, kubeconfig=self.cluster.kubeconfig)

    def run_beside(self, name, *command):
        """Something of this test's own, as the administrator."""
        child = Child(name, [str(c) for c in command], self.folder / f"{name}.log")
        self.children.append(child)
        return child

    def api_port(self):
        return int(re.search(r"https://[\d.]+:(\d+)", self.cluster.kubeconfig.read_text())[1])

    def role(self, deployment, replica=0, account=None, command=None, arguments=None, api_port=None):
        """A replica of a Deployment: its arguments, its account, its configuration, the image's root.
        `api_port`: the port by which it reaches the API server, where that is not the server's own."""
        found = self.get("deployment", "-n", NAMESPACE, deployment)
        spec = found["spec"]["template"]["spec"]
        root = image_root.Root(self.unpacked, self.folder / f"{deployment}-{replica}")
        account = account or spec.get("serviceAccountName") or spec["serviceAccount"]
        token = self.kubectl("create", "token", "-n", NAMESPACE, account, "--duration=1h").strip()
        root.write(f"{ACCOUNT_FOLDER}/token", token)
        root.write(f"{ACCOUNT_FOLDER}/ca.crt", (self.cluster.run / "pki" / "ca.crt").read_text())
        root.write(f"{ACCOUNT_FOLDER}/namespace", NAMESPACE)
        container = spec["containers"][0]
        self._mount(root, spec, container)
        given = [*(command or ["/usr/bin/basalt"]),
                 *(arguments(container["args"]) if arguments else container["args"])]
        child = Role(deployment, root, given, {"KUBERNETES_SERVICE_HOST": "127.0.0.1",
                                               "KUBERNETES_SERVICE_PORT": str(api_port or self.api_port()),
                                               "POD_IP": "127.0.0.1"},
                     self.folder / f"{deployment}-{replica}.log")
        child.credential = _credential_of(token)
        self.children.append(child)
        return child

    def _mount(self, root, spec, container):
        volumes = {v["name"]: v for v in spec.get("volumes", [])}
        for mount in container.get("volumeMounts", []):
            volume = volumes[mount["name"]]
            if "configMap" in volume:
                data = self.get("configmap", "-n", NAMESPACE, volume["configMap"]["name"])["data"]
                for name, text in data.items():
                    root.write(f"{mount['mountPath']}/{name}", text)
            elif "secret" in volume:
                for name in ("tls.crt", "tls.key", "ca.crt"):
                    pki = {"tls.crt": "server.crt", "tls.key": "server.key", "ca.crt": "ca.crt"}
                    text = (self.cluster.run / "pki" / pki[name]).read_text()
                    root.write(f"{mount['mountPath']}/{name}", text)

    def requests(self):
        """What the roles' accounts have asked for: (account, verb, group, resource, name, namespace, code)."""
        return set(self.all_requests())

    def all_requests(self):
        """The same, each time that it was asked for."""
        for line in self.audit_log.read_text().splitlines():
            event = json.loads(line)
            about = event.get("objectRef", {})
            resource = about.get("resource", "")
            if about.get("subresource"):
                resource += "/" + about["subresource"]
            yield (event["user"]["username"].split(":")[-1], event["verb"], about.get("apiGroup", ""),
                   resource, about.get("name", ""), about.get("namespace", ""),
                   event.get("responseStatus", {}).get("code", 0))


def _credential_of(token):
    """How the audit log names a token: by the id that it carries."""
    payload = token.split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    return f"JTI={claims['jti']}"


class Child:
    def __init__(self, name, command, log, env=None):
        self.name = name
        self.log = log
        with open(log, "ab") as out:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                            env={**os.environ, **(env or {})})

    def said(self):
        return self.log.read_text(errors="replace")

    def stop(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Role(Child):
    """All replicas run on one machine here, so each has ports of its own; and the API server is no pod
    and reaches the webhook by its address instead of by its Service. The rest is the manifest's."""

    def __init__(self, name, root, command, env, log):
        self.health, metrics, query, self.admission, self.page = processes.free_ports(5)
        changed = []
        for argument in command:
            flag = argument.split("=")[0]
            if flag == "--query-address":
                argument = f"{flag}=127.0.0.1:{query}"
            elif flag in ("--listen-address", "--enable-metrics"):
                argument = f"--listen-address=127.0.0.1:{metrics}"
            elif flag in ("--healthz-address", "--enable-healthz"):
                argument = f"--healthz-address=127.0.0.1:{self.health}"
            elif flag == "--listen":
                argument = f"{flag}=127.0.0.1:{self.page}"
            elif flag == "--port":
                argument = f"{flag}={self.admission}"
            elif flag == "--webhook-service-name":
                argument = f"--webhook-url=https://127.0.0.1:{self.admission}"
            changed.append(argument)
        super().__init__(name, root.command(*changed), log, env)

    def answers(self, path):
        return subprocess.run(["curl", "-sf", "--max-time", "5", f"http://127.0.0.1:{self.health}{path}"], text=True,
                              check=True, capture_output=True).stdout

    def wait_until_ready(self, seconds=60):
        def ready():
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.name} ended by itself:\n{self.said()[-2000:]}")
            return self.answers("/readyz") or True
        try:
            processes.wait_until(f"{self.name} to be ready", seconds, ready)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.said()[-2000:]}") from error
