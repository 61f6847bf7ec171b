"""Martlet's REST interface, with what Python brings along."""

import json
import urllib.error
import urllib.parse
import urllib.request


class Refused(Exception):
    """An answer that is an error: what the server says, with its code."""


class Rest:
    """Calls a server with a key."""

    def __init__(self, server, key):
        self.server = server
        self.key = key

    def __call__(self, method, path, body=None, **query):
        """Makes one call; returns what `data` of the answer holds, or nothing where there is none."""
        return self.answer(method, path, body, **query).get("data")

    def pages(self, path, **query):
        """All of a list, one page after the other."""
        while True:
            answer = self.answer("GET", path, **query)
            yield from answer["data"]
            if "next" not in answer:
                return
            query["cursor"] = answer["next"]

    def answer(self, method, path, body=None, **query):
        """Makes one call; returns the whole answer."""
        url = f"{self.server}/api/v1/{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
        request = urllib.request.Request(url, method=method, headers={"Authorization": f"Bearer {self.key}"})
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            raise Refused(f"{method} {path}: {error.read().decode()}") from None


def quoted(user):
    """A user's id as a part of a path."""
    return urllib.parse.quote(user, safe="")
