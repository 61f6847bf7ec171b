"""Seals with http_ece, signs with py-vapid and sends with httpx over HTTP/2: python3 webpush_http_ece.py KEY TEXT SUBSCRIPTION ...

A subscription is its JSON; a text is sent to each. The key is a PEM file.
"""

import base64
import json
import os
import sys
import time
from urllib.parse import urlsplit

import http_ece
import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


key, text, *subscriptions = sys.argv[1:]
vapid = Vapid02.from_file(key)
with httpx.Client(http2=True) as client:
    for subscription in map(json.loads, subscriptions):
        endpoint = subscription["endpoint"]
        body = http_ece.encrypt(
            text.encode(),
            salt=os.urandom(16),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=decoded(subscription["keys"]["p256dh"]),
            auth_secret=decoded(subscription["keys"]["auth"]),
            version="aes128gcm",
        )
        place = urlsplit(endpoint)
        claims = {"sub": "mailto:push@example.com", "aud": f"{place.scheme}://{place.netloc}", "exp": int(time.time()) + 3600}
        answer = client.post(
            endpoint,
            content=body,
            headers=vapid.sign(claims) | {"ttl": "60", "content-encoding": "aes128gcm"},
        )
        assert answer.http_version == "HTTP/2"
        print(answer.status_code)
