"""Child processes that end with the test, whatever happens to it."""

import os
import pathlib
import signal
import socket
import subprocess
import time


def free_ports(count):
    """Ports on loopback that nobody listens on now. All are held until all are known."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for s in sockets:
            s.bind(("127.0.0.1", 0))
        return [s.getsockname()[1] for s in sockets]
    finally:
        for s in sockets:
            s.close()


def wait_until(what, seconds, condition, every=0.1):
    """Waits for a condition; returns what it gave. Raises AssertionError when it never held."""
    end = time.monotonic() + seconds
    last = None
    while True:
        try:
            value = condition()
            if value:
                return value
            last = value
        except (OSError, subprocess.SubprocessError, AssertionError) as error:
            last = error
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s for {what}; last: {last}")
        time.sleep(every)


def is_ours(pid, mark):
    """Whether a process is alive and one that we started: its command line holds `mark`."""
    try:
        return mark.encode() in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def stop(pid, mark, patience):
    """Ends a process that we started: SIGTERM, and SIGKILL after `patience` seconds."""
    end = time.monotonic() + patience
    wanted = signal.SIGTERM
    while is_ours(pid, mark):
        try:
            if wanted is not None:
                os.kill(pid, wanted)
                wanted = None
            # Where it is our child, it stays a zombie until it is waited for.
            os.waitpid(pid, os.WNOHANG)
        except (ProcessLookupError, ChildProcessError):
            pass
        if time.monotonic() > end:
            wanted, end = signal.SIGKILL, time.monotonic() + 10
        time.sleep(0.02)


def end(child, seconds=10):
    """Asks a process to end, and ends it when it does not."""
    child.terminate()
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def end_on_signals():
    """Turns SIGTERM and SIGHUP into KeyboardInterrupt, so that clean-up runs on them as well."""
    def interrupt(_number, _frame):
        raise KeyboardInterrupt
    signal.signal(signal.SIGTERM, interrupt)
    signal.signal(signal.SIGHUP, interrupt)
