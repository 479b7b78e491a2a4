"""A way between two programs that can be cut, held up and mended, whatever they say to each other."""

import socket
import threading


class Link:
    """Forwards connections on a port of its own to whoever `targets` names: the first that takes it."""

    def __init__(self, targets):
        self.targets = targets
        self.is_cut = threading.Event()
        self.questions = _Gate()  # what who connects sends
        self.answers = _Gate()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.open = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        """Connections stay open, and nothing arrives any more."""
        self.is_cut.set()

    def mend(self):
        """New connections pass; what was on its way in the old ones is lost with them."""
        for one in list(self.open):
            self._forget(one)
        self.is_cut.clear()
        self.questions.release()
        self.answers.release()

    def close(self):
        self.cut()
        self.listener.close()
        self.mend()

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            self.open.add(near)
            if not self.is_cut.is_set():
                threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near):
        for target in self.targets():
            try:
                far = socket.create_connection(("127.0.0.1", target), timeout=5)
            except OSError:
                continue
            far.settimeout(None)
            self.open.add(far)
            for source, sink, gate in ((near, far, self.questions), (far, near, self.answers)):
                threading.Thread(target=self._pass_on, args=(source, sink, gate), daemon=True).start()
            return
        self._forget(near)

    def _pass_on(self, source, sink, gate):
        try:
            while data := source.recv(1 << 16):
                gate.wait(len(data))
                if self.is_cut.is_set():
                    return  # lost on the way; nobody hears of it
                sink.sendall(data)
        except OSError:
            pass
        if not self.is_cut.is_set():
            self._forget(source)
            self._forget(sink)

    def _forget(self, one):
        self.open.discard(one)
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        one.close()


class _Gate:
    """What is held up in one direction, until it is let pass."""

    def __init__(self):
        self.changed = threading.Condition()
        self.holds = False
        self.passed = 0  # times that something was let pass
        self.held = 0  # bytes that wait

    def hold(self):
        self.holds = True

    def step(self):
        """What waits passes; what comes is held up again."""
        with self.changed:
            self.passed += 1
            self.held = 0
            self.changed.notify_all()

    def release(self):
        self.holds = False
        self.step()

    def wait(self, size):
        with self.changed:
            if not self.holds:
                return
            self.held += size
            now = self.passed
            self.changed.wait_for(lambda: self.passed != now)
