"""What the story is played on: a simulated APNs and a server, in a folder that is deleted at the end."""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import urllib.request

from rest import Rest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.path.abspath(os.environ.get("MARTLET_PROGRAM") or ROOT / "server/.build/release/martlet")
BUNDLE, KEY_ID, TEAM_ID = "com.example.social", "ABC123DEFG", "TEAM123456"
# For how many seconds is waited for whatever should be there at once.
TIMEOUT = 60


class Stage:
    """A running server with its REST interface, and what its phones received."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.processes = []

    def start(self):
        """Starts both and waits until they listen."""
        folder = self.folder
        line = self._start(
            "simulate",
            "control interface on ",
            "--port=0",
            "--control-port=0",
            f"--ca={folder}/ca.pem",
            f"--topic={BUNDLE}",
            f"--new-key={folder}/key.p8",
            f"--key-id={KEY_ID}",
            f"--team-id={TEAM_ID}",
        )
        self.apns = re.search(r"https://\S+?(?=,|\s)", line)[0]
        self.control = re.search(r"control interface on (http://\S+)", line)[1]
        self.key = (self.folder / "key.p8").read_text()
        self.trust = (self.folder / "ca.pem").read_text()
        # Credentials that are made through the SNS interface have no address of their own.
        sns = {"MARTLET_SNS_APNS_URL": self.apns, "MARTLET_SNS_APNS_TRUST": f"{folder}/ca.pem"}
        line = self._start("serve", "Martlet is listening on ", f"--data={folder}/data", "--port=0", **sns)
        self.server = re.search(r"http://\S+", line)[0]
        self.rest = Rest(self.server, (self.folder / "data/admin.key").read_text().strip())

    def prepare(self, app):
        """The categories that people can switch."""
        for key in ["follow", "post", "comment", "reply", "announcement"]:
            self.rest("POST", "categories", {"app": app, "key": key, "names": {"en": key.capitalize()}})

    def settle(self, messages):
        """Waits until all of some messages' deliveries are over."""
        for message in messages:
            self._until(
                lambda: self.rest("GET", f"notifications/{message}")["status"] == "done",
                f"the notification {message} is not over",
            )

    def received(self):
        """The pushes that the phones' service was asked for since this was asked last, as token, status and payload."""
        with urllib.request.urlopen(f"{self.control}/received?limit=10000", timeout=30) as answer:
            pushes = json.load(answer)["received"]
        self._control("DELETE", "received")
        return [(push["token"], push.get("status"), push.get("payload")) for push in pushes]

    def uninstall(self, token):
        """The app was deleted from a device: Apple answers that its token is gone."""
        self._control("POST", "tokens", {"tokens": [{"token": token, "state": "unregistered"}]})

    def _control(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(f"{self.control}/{path}", method=method, data=data)
        request.add_header("Content-Type", "application/json")
        urllib.request.urlopen(request, timeout=30).close()

    def _start(self, command, announced, *arguments, **settings):
        """Starts a process and returns the line in which it says where it listens."""
        # What the user of this machine has set is not the story's.
        own = {name: value for name, value in os.environ.items() if not name.startswith("MARTLET_")}
        output = self.folder / f"{command}.out"
        with output.open("w") as out:
            process = subprocess.Popen(
                [PROGRAM, command, *arguments],
                stdout=out,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env=own | settings,
                cwd=self.folder,
            )
        self.processes.append(process)

        def found():
            # Without the last line, which may be half written.
            lines = [line for line in output.read_text().split("\n")[:-1] if announced in line]
            assert lines or process.poll() is None, f"martlet {command} ended: {output.read_text()[-2000:]}"
            return lines[0] if lines else None

        return self._until(found, f"martlet {command} does not listen")

    @staticmethod
    def _until(condition, problem):
        deadline = time.monotonic() + TIMEOUT
        while not (value := condition()):
            assert time.monotonic() < deadline, problem
            time.sleep(0.02)
        return value

    def close(self):
        """Ends both."""
        for process in reversed(self.processes):
            process.terminate()
        for process in reversed(self.processes):
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextlib.contextmanager
def running():
    """A stage that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="martlet-social-") as folder:
        stage = Stage(folder)
        try:
            stage.start()
            yield stage
        finally:
            stage.close()
