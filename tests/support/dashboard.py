"""Asking a dashboard as its page does."""

import json
import urllib.error
import urllib.request


class Dashboard:
    def __init__(self, address):
        self.address = address.split("#")[0].rstrip("/")

    def ask(self, path, token="", body=None):
        """(status, text) of /api/v1/PATH."""
        request = urllib.request.Request(f"{self.address}/api/v1/{path}",
                                         data=None if body is None else json.dumps(body).encode())
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def first_events(self, token, wanted):
        """What the stream says up to the end of the event of that name."""
        request = urllib.request.Request(f"{self.address}/api/v1/stream",
                                         headers={"Authorization": f"Bearer {token}"})
        said = ""
        with urllib.request.urlopen(request, timeout=30) as answer:
            for line in answer:
                said += line.decode()
                if said.endswith("\n\n") and f"event: {wanted}\n" in said:
                    return said
        raise AssertionError(f"the stream ended: {said[-500:]}")
