"""A real control plane on loopback: etcd, kube-apiserver and kube-controller-manager.

All of its state is in one folder under build/cluster, and nothing but the processes whose ids are
noted there is ever ended.
"""

import base64
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import tempfile
import urllib.request

from . import processes, tools

# Those of Basalt's own that run in their place, and those that need a cloud.
CONTROLLERS_OFF = ("deployment-controller", "replicaset-controller", "statefulset-controller",
                   "daemonset-controller", "job-controller",
                   "node-ipam-controller", "node-route-controller", "service-lb-controller",
                   "cloud-node-lifecycle-controller")
# How long each gets to stop by itself. kube-apiserver waits a minute for open watches to end, and
# holds no state that needs it.
PATIENCE = {"kube-controller-manager": 5, "kube-apiserver": 1, "etcd": 5}


class Cluster:
    """Start it with `with`, or with start() and stop(); `kubeconfig` is how to reach it.

    `bare`: the API server alone, without a controller manager and without the admission plugins that
    need one (they wait for service accounts, and taint nodes that nobody untaints). `api_flags`: more
    flags of the API server.
    """

    def __init__(self, run=None, bare=False, controllers_off=CONTROLLERS_OFF, api_flags=()):
        base = tools.BUILD / "cluster"
        base.mkdir(parents=True, exist_ok=True)
        self.run = pathlib.Path(run) if run else pathlib.Path(
            tempfile.mkdtemp(prefix="run-", dir=base))
        self.keep = run is not None
        self.bare = bare
        self.controllers_off = controllers_off
        self.api_flags = api_flags
        self.kubeconfig = self.run / "kubeconfig"

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        self.run.mkdir(parents=True, exist_ok=True)
        if list(self.run.glob("*.pid")):
            raise AssertionError(f"{self.run} is in use; tests/cluster/down ends what runs there")
        shutil.rmtree(self.run / "etcd", ignore_errors=True)  # every start is a new cluster
        etcd, etcd_peer, api, manager = processes.free_ports(4)
        self._make_certificates()
        self._write_kubeconfig(api)

        self._spawn("etcd", "--name=e0", f"--data-dir={self.run}/etcd",
                    f"--listen-client-urls=http://127.0.0.1:{etcd}",
                    f"--advertise-client-urls=http://127.0.0.1:{etcd}",
                    f"--listen-peer-urls=http://127.0.0.1:{etcd_peer}",
                    f"--initial-advertise-peer-urls=http://127.0.0.1:{etcd_peer}",
                    f"--initial-cluster=e0=http://127.0.0.1:{etcd_peer}",
                    "--unsafe-no-fsync", "--log-level=warn")
        self._wait("etcd", 60, lambda: _get(f"http://127.0.0.1:{etcd}/health"))

        pki = self.run / "pki"
        off = ["--disable-admission-plugins=ServiceAccount,TaintNodesByCondition"] if self.bare else []
        self._spawn("kube-apiserver", *off, *self.api_flags, f"--etcd-servers=http://127.0.0.1:{etcd}",
                    "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
                    f"--secure-port={api}", "--endpoint-reconciler-type=none",
                    f"--tls-cert-file={pki}/server.crt", f"--tls-private-key-file={pki}/server.key",
                    f"--client-ca-file={pki}/ca.crt", f"--cert-dir={pki}",
                    "--service-account-issuer=https://kubernetes.default.svc",
                    f"--service-account-key-file={pki}/accounts.pub",
                    f"--service-account-signing-key-file={pki}/accounts.key",
                    "--service-cluster-ip-range=10.96.0.0/16", "--authorization-mode=RBAC",
                    "--allow-privileged=true")
        context = ssl.create_default_context(cafile=str(pki / "ca.crt"))
        context.load_cert_chain(str(pki / "admin.crt"), str(pki / "admin.key"))
        server = f"https://127.0.0.1:{api}"
        self._wait("kube-apiserver", 180, lambda: _get(f"{server}/readyz", context))

        if self.bare:
            return
        off = ",".join(f"-{name}" for name in self.controllers_off)
        self._spawn("kube-controller-manager", f"--kubeconfig={self.kubeconfig}",
                    "--leader-elect=false", "--bind-address=127.0.0.1", f"--secure-port={manager}",
                    f"--cert-dir={pki}", "--use-service-account-credentials=false",
                    f"--service-account-private-key-file={pki}/accounts.key",
                    f"--root-ca-file={pki}/ca.crt", f"--controllers=*,{off}",
                    "--kube-api-qps=200", "--kube-api-burst=400")
        # Pods are refused in a namespace until it has its service account.
        account = f"{server}/api/v1/namespaces/default/serviceaccounts/default"
        self._wait("kube-controller-manager", 120, lambda: _get(account, context))

    def stop(self):
        for name, patience in PATIENCE.items():
            pid_file = self.run / f"{name}.pid"
            if pid_file.exists():
                processes.stop(int(pid_file.read_text()), str(self.run), patience)
                pid_file.unlink(missing_ok=True)
        if not self.keep:
            shutil.rmtree(self.run, ignore_errors=True)

    def _spawn(self, name, *flags):
        program = tools.CLUSTER_BIN / name
        if not program.exists():
            raise AssertionError(f"{program} is not there: run tests/cluster/build")
        with open(self.run / f"{name}.log", "ab") as log:
            child = subprocess.Popen([str(program), *flags], stdin=subprocess.DEVNULL, stdout=log,
                                     stderr=log, cwd=self.run, start_new_session=True)
        (self.run / f"{name}.pid").write_text(str(child.pid))
        setattr(self, "_child_" + name.replace("-", "_"), child)

    def _wait(self, name, seconds, condition):
        child = getattr(self, "_child_" + name.replace("-", "_"))

        def checked():
            if child.poll() is not None:
                tail = (self.run / f"{name}.log").read_text(errors="replace").splitlines()[-5:]
                raise RuntimeError(f"{name} ended by itself:\n" + "\n".join(tail))
            return condition()
        processes.wait_until(name, seconds, checked)

    def _make_certificates(self):
        """A certificate authority, the server's and the administrator's certificates, an account key."""
        pki = self.run / "pki"
        shutil.rmtree(pki, ignore_errors=True)
        pki.mkdir(mode=0o700)

        def openssl(*args):
            subprocess.run(["openssl", *args], cwd=pki, check=True, capture_output=True)

        def new_key(name):
            openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", f"{name}.key")

        def issue(name, subject, extensions):
            new_key(name)
            (pki / f"{name}.ext").write_text(extensions)
            openssl("req", "-new", "-key", f"{name}.key", "-subj", subject, "-out", f"{name}.csr")
            openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key",
                    "-CAcreateserial", "-days", "30", "-extfile", f"{name}.ext",
                    "-out", f"{name}.crt")

        new_key("ca")
        openssl("req", "-x509", "-new", "-key", "ca.key", "-days", "30", "-subj",
                "/CN=basalt-test-ca", "-out", "ca.crt")
        issue("server", "/CN=kube-apiserver",
              "subjectAltName=IP:127.0.0.1,IP:10.96.0.1,DNS:localhost,DNS:kubernetes.default.svc\n")
        issue("admin", "/O=system:masters/CN=admin", "extendedKeyUsage=clientAuth\n")
        new_key("accounts")
        openssl("ec", "-in", "accounts.key", "-pubout", "-out", "accounts.pub")

    def _write_kubeconfig(self, port):
        def data(name):
            return base64.b64encode((self.run / "pki" / name).read_bytes()).decode()
        config = {
            "apiVersion": "v1", "kind": "Config", "current-context": "real",
            "contexts": [{"name": "real", "context": {"cluster": "real", "user": "admin"}}],
            "clusters": [{"name": "real", "cluster": {
                "server": f"https://127.0.0.1:{port}",
                "certificate-authority-data": data("ca.crt")}}],
            "users": [{"name": "admin", "user": {
                "client-certificate-data": data("admin.crt"),
                "client-key-data": data("admin.key")}}],
        }
        with open(os.open(self.kubeconfig, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w",
                  encoding="utf-8") as out:
            json.dump(config, out)  # JSON is YAML


def _get(url, context=None):
    with urllib.request.urlopen(url, timeout=5, context=context) as response:
        return response.status == 200
