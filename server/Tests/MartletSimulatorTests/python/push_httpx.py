"""Pushes with httpx over HTTP/2: python3 push_httpx.py PORT KEY KEY_ID TEAM TOPIC CERTIFICATE DEVICE ..."""

import ssl
import sys
import time

import httpx
import jwt

port, key, key_id, team, topic, certificate, *devices = sys.argv[1:]


def push(name, context, fields):
    with httpx.Client(http2=True, verify=context) as client:
        for device in devices:
            answer = client.post(
                f"https://localhost:{port}/3/device/{device}",
                headers={"apns-topic": topic, "apns-push-type": "alert"} | fields,
                json={"aps": {"alert": "Hello"}},
            )
            assert answer.http_version == "HTTP/2"
            print(name, answer.status_code, answer.json()["reason"] if answer.content else "accepted")


with open(key) as file:
    token = jwt.encode({"iss": team, "iat": int(time.time())}, file.read(), "ES256", headers={"kid": key_id})
push("token", ssl.create_default_context(), {"authorization": f"bearer {token}"})
with_certificate = ssl.create_default_context()
with_certificate.load_cert_chain(certificate)
push("certificate", with_certificate, {})
