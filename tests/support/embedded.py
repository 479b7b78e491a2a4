"""`basalt up` as a child process."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading

from . import tools


def program():
    """The basalt command under test: $BASALT, or the release build."""
    return os.environ.get("BASALT", str(tools.BUILD / "release" / "basalt"))


class Embedded:
    """Use it with `with`; `kubeconfig` is how to reach it. `command` takes the place of `basalt up`."""

    def __init__(self, *flags, command=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="basalt-up-"))
        self.kubeconfig = self.folder / "kubeconfig"
        self.command = command or [program(), "up", "--listen", "127.0.0.1:0", "--kubeconfig",
                                   str(self.kubeconfig), *flags]
        self.child = None
        self.log = []

    @classmethod
    def api_server_alone(cls):
        """The API server without any role."""
        return cls(command=[str(tools.BUILD / "release" / "test_apiserver"), "kubeconfig"])

    def __enter__(self):
        self.child = subprocess.Popen(
            self.command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace")
        # So that a cluster that never becomes ready fails the test and not its patience.
        guard = threading.Timer(60, self.child.kill)
        guard.start()
        try:
            for line in self.child.stdout:
                self.log.append(line.rstrip())
                if line.startswith("ready"):
                    break
            else:
                self.child.wait()
                raise AssertionError("basalt up did not become ready:\n" + "\n".join(self.log[-20:]))
        except BaseException:
            self.child.kill()
            self.child.wait()
            raise
        finally:
            guard.cancel()
        threading.Thread(target=self._drain, daemon=True).start()
        return self

    def _drain(self):
        for line in self.child.stdout:
            self.log.append(line.rstrip())

    def stop(self):
        """Ends it as Ctrl-C does; returns its exit code."""
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGINT)
        try:
            return self.child.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            return None

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
