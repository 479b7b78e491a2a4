"""A small client of an API server, for programs that create and count many objects."""

import http.client
import json
import pathlib
import re
import ssl
import threading
from concurrent.futures import ThreadPoolExecutor


class Api:
    """Talks to the server of a kubeconfig that `basalt up` wrote. May be used from many threads."""

    def __init__(self, kubeconfig):
        text = pathlib.Path(kubeconfig).read_text(encoding="utf-8")
        self.host = re.search(r"server: \"?https://([^\s\"]+)", text).group(1)
        self.token = re.search(r"token: \"?([^\s\"]+)", text).group(1)
        self.tls = ssl.create_default_context()
        self.tls.check_hostname = False  # a server of this test's own, on loopback
        self.tls.verify_mode = ssl.CERT_NONE
        self.local = threading.local()

    def connect(self, timeout=60):
        return http.client.HTTPSConnection(self.host, context=self.tls, timeout=timeout)

    def headers(self):
        return {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"}

    def call(self, method, path, body=None):
        """The status and the decoded answer."""
        for attempt in (1, 2):
            if getattr(self.local, "connection", None) is None:
                self.local.connection = self.connect()
            try:
                self.local.connection.request(method, path, None if body is None else
                                              json.dumps(body), self.headers())
                answer = self.local.connection.getresponse()
                return answer.status, json.loads(answer.read() or b"null")
            except (OSError, http.client.HTTPException):
                self.local.connection = None
                if attempt == 2:
                    raise

    def create(self, path, body):
        status, answer = self.call("POST", path, body)
        if status >= 300:
            raise RuntimeError(f"POST {path}: {status} {answer.get('message')}")
        return answer

    def create_all(self, path, bodies, threads=8):
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda body: self.create(path, body), bodies))

    def watch(self, path, seen, stop):
        """Calls seen(type, object) for each event until `stop` is set."""
        while not stop.is_set():
            try:
                connection = self.connect(timeout=5)
                connection.request("GET", path + "?watch=true", headers=self.headers())
                answer = connection.getresponse()
                while not stop.is_set() and (line := answer.readline()):
                    event = json.loads(line)
                    seen(event["type"], event["object"])
                connection.close()
            except (OSError, http.client.HTTPException):
                pass  # the server is away, or there was nothing to tell: watch again
