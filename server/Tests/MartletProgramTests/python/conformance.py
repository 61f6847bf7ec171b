"""Compares a running server with its document: each kind of key calls every path with what it allows and forbids.

Arguments: the server's address, an admin key, a folder, the seconds for each kind of key.
"""
import base64
import hashlib
import hmac
import json
import subprocess
import sys
import time
import urllib.request

address, admin, folder, seconds = sys.argv[1:]
secret = "0123456789" * 4
checks = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method", "allow_header_conformance",
]


def post(path, body):
    request = urllib.request.Request(
        address + "/api/v1/" + path, json.dumps(body).encode(),
        {"Authorization": "Bearer " + admin, "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)["data"]


def encoded(value):
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def user_token():
    claims = {"iss": "https://id.example.com", "aud": "shop", "sub": "ann", "exp": int(time.time()) + 3_000}
    text = ".".join(encoded(json.dumps(part).encode()) for part in [{"alg": "HS256", "typ": "JWT"}, claims])
    return text + "." + encoded(hmac.new(secret.encode(), text.encode(), hashlib.sha256).digest())


identity = {"mode": "signed", "issuer": "https://id.example.com", "audience": "shop", "secret": secret}
post("apps", {"name": "shop", "identity": identity})
post("categories", {"app": "shop", "key": "news", "names": {"en": "News"}})
post("topics", {"app": "shop", "name": "news"})
post("topics/news/subscriptions?app=shop", {"user_id": "ann"})
keys = {
    "client": post("keys", {"name": "client", "scope": "client", "app": "shop"})["key"],
    "user": user_token(),
    "send": post("keys", {"name": "send", "scope": "send", "app": "shop"})["key"],
    "admin": admin,
}
failed = False


def run(kind, seconds, *options):
    global failed
    result = subprocess.run(
        [
            sys.executable, "-m", "schemathesis.cli", "run", address + "/openapi.json",
            "--header", "Authorization: Bearer " + keys[kind], "--checks", ",".join(checks),
            "--phases", "coverage,fuzzing", "--max-time", seconds, "--seed", "1", "--request-timeout", "10",
            "--continue-on-failure", "--no-color", "--warnings", "off", *options,
        ],
        cwd=folder, capture_output=True, text=True, timeout=int(seconds) + 120,
    )
    if result.returncode != 0:
        failed = True
        # What it made up may be a line of many thousand characters.
        said = "\n".join(line[:500] for line in result.stdout.splitlines())
        print(kind, said[-8_000:], result.stderr[-2_000:], sep="\n")


for kind in keys:
    # The path that can take away the key that calls comes last.
    run(kind, seconds, "--exclude-operation-id", "deleteKeysId")
run("admin", "3", "--include-operation-id", "deleteKeysId")
sys.exit(1 if failed else 0)
