#!/usr/bin/env python3
"""Runs a real browser, headless and offline, as the user agent of the simulated push services.

    browser.py firefox|chromium --browser-port 9447 --chromium-port 9448 [--profile FOLDER] URL
    browser.py firefox|chromium --browser-port 9447 --chromium-port 9448 [--profile FOLDER] --site FOLDER --key KEY
    browser.py none --site FOLDER

With a URL the page is somebody else's. With --site the folder is served on http://localhost, its index.html is opened
with the application server's key, and whatever it and its worker POST to /report is written to standard output, a JSON
value in each line; the first says where the site is served. What is POSTed to /order is handed to the page, whose GET
/order waits for it. It ends with SIGTERM, or when the browser does. A profile that is given is kept, so that a browser can
be started again with its subscriptions. With none the folder is only served, for a browser that comes with its URL.
"""

import argparse
import ctypes
import functools
import http.server
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.parse

FIREFOX_PREFERENCES = {
    "dom.push.serverURL": "ws://127.0.0.1:{browser_port}/",
    "dom.push.testing.allowInsecureServerURL": True,
    "dom.push.retryBaseInterval": 500,
    "permissions.default.desktop-notification": 1,
    # Without a desktop the system shows nothing, and showNotification fails.
    "alerts.useSystemBackend": False,
    # No page, no question and no download of its own.
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
}


def installed(kind):
    """The browser's program, or None."""
    return next(filter(None, map(shutil.which, {"firefox": ["firefox-esr", "firefox"], "chromium": ["chromium"]}[kind])), None)


def firefox(profile, options, url):
    lines = []
    for name, value in FIREFOX_PREFERENCES.items():
        value = value.format(browser_port=options.browser_port) if isinstance(value, str) else value
        lines.append(f"user_pref({json.dumps(name)}, {json.dumps(value)});")
    (profile / "user.js").write_text("\n".join(lines) + "\n")
    return [installed("firefox"), "--headless", "--no-remote", "--profile", str(profile), url]


def chromium(profile, options, url):
    preferences = profile / "Default" / "Preferences"
    if not preferences.exists():
        preferences.parent.mkdir(parents=True, exist_ok=True)
        # A permission granted by DevTools ends with its session, and Chromium unsubscribes.
        settings = {"profile": {"default_content_setting_values": {"notifications": 1}}}
        preferences.write_text(json.dumps(settings))
    gcm = f"http://127.0.0.1:{options.browser_port}"
    return [
        installed("chromium"),
        "--headless=new",
        "--no-sandbox",
        "--no-first-run",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--password-store=basic",
        f"--user-data-dir={profile}",
        "--ignore-certificate-errors",
        f"--gcm-checkin-url={gcm}/checkin",
        f"--gcm-registration-url={gcm}/register",
        f"--gcm-mcs-endpoint=https://127.0.0.1:{options.chromium_port}",
        url,
    ]


class Site(http.server.SimpleHTTPRequestHandler):
    """A folder's files; POST /report writes a line, /order hands on what is posted there."""

    orders = queue.Queue()
    output = threading.Lock()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path == "/order":
            self.orders.put(body.decode())
        else:
            self.tell(json.loads(body))
        self.answer(204, b"")

    @classmethod
    def tell(cls, value):
        with cls.output:
            print(json.dumps(value, ensure_ascii=False, separators=(",", ":")), flush=True)

    def do_GET(self):
        if self.path != "/order":
            super().do_GET()
            return
        try:
            self.answer(200, self.orders.get(timeout=20).encode())
        except queue.Empty:
            self.answer(204, b"")

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self):
        self.send_header("cache-control", "no-store")
        super().end_headers()

    def log_message(self, *arguments):
        pass


def serve(options):
    handler = functools.partial(Site, directory=options.site)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", options.site_port), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://localhost:{server.server_port}/"
    Site.tell({"kind": "serving", "url": url})
    return url + "?" + urllib.parse.urlencode({"key": options.key})


def end_with_parent():
    """The browser does not outlive this program, whatever ends it (prctl PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def main():
    # Whoever started this may have left its own sockets open here, and signals blocked: a test's threads do.
    os.closerange(3, 4096)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("browser", choices=["firefox", "chromium", "none"])
    reader.add_argument("url", nargs="?")
    reader.add_argument("--browser-port", type=int, default=0)
    reader.add_argument("--chromium-port", type=int, default=0)
    reader.add_argument("--profile")
    reader.add_argument("--site")
    reader.add_argument("--site-port", type=int, default=0)
    reader.add_argument("--key", default="")
    # The address may stand behind the flags.
    options = reader.parse_intermixed_args()
    if bool(options.url) == bool(options.site):
        sys.exit("browser.py: give either a URL or --site")
    if options.browser == "none":
        serve(options)
        signal.pause()
    if not installed(options.browser):
        sys.exit(f"browser.py: {options.browser} is not installed")
    url = options.url or serve(options)
    temporary = None if options.profile else tempfile.mkdtemp(prefix="martlet-browser-")
    profile = pathlib.Path(options.profile or temporary).resolve()
    profile.mkdir(parents=True, exist_ok=True)
    command = {"firefox": firefox, "chromium": chromium}[options.browser](profile, options, url)
    # Its own home, so that nothing is read from or left in the user's.
    environment = dict(os.environ, HOME=str(profile), MOZ_CRASHREPORTER_DISABLE="1")
    log = open(profile / "browser.log", "ab")
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=end_with_parent
    )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        process.wait()
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if temporary:
            shutil.rmtree(temporary, ignore_errors=True)


if __name__ == "__main__":
    main()
