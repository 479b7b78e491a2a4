"""How every test program of ours that is no GoogleTest program reports: a line per test, totals last."""

import re
import sys
import time
import traceback

TOTALS = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?(?: \(.*\))?$")


class Skip(Exception):
    """Raised by a test that cannot run here; its text is the reason."""


class Report:
    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.skipped = 0

    def run(self, name, function, *args):
        """Runs one test and prints its line. Returns whether it passed."""
        start = time.monotonic()
        try:
            function(*args)
        except Skip as reason:
            self.skip(name, str(reason))
            return False
        except Exception as error:  # pylint: disable=broad-except
            self.failed += 1
            print(f"FAILED   {name}  {time.monotonic() - start:.1f} s", flush=True)
            text = str(error) if isinstance(error, AssertionError) else traceback.format_exc()
            for line in text.rstrip().splitlines():
                print(f"         {line}")
            sys.stdout.flush()
            return False
        self.passed += 1
        print(f"ok       {name}  {time.monotonic() - start:.1f} s", flush=True)
        return True

    def skip(self, name, reason):
        self.skipped += 1
        print(f"skipped  {name}: {reason}", flush=True)

    def totals(self):
        line = f"{self.passed} passed, {self.failed} failed"
        return line + (f", {self.skipped} skipped" if self.skipped else "")

    def finish(self):
        """Prints the totals; returns the exit code."""
        print(self.totals(), flush=True)
        return 1 if self.failed else 0
