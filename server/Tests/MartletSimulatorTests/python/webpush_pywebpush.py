"""Sends with pywebpush, over HTTP/1.1: python3 webpush_pywebpush.py KEY TEXT SUBSCRIPTION ...

A subscription is its JSON; a text is sent to each. The key is a PEM file.
"""

import json
import sys

from pywebpush import WebPushException, webpush

key, text, *subscriptions = sys.argv[1:]
for subscription in map(json.loads, subscriptions):
    try:
        answer = webpush(
            subscription,
            data=text,
            vapid_private_key=key,
            vapid_claims={"sub": "mailto:push@example.com"},
            ttl=60,
            headers={"Urgency": "high", "Topic": "line-4"},
            timeout=20,
        )
        print(answer.status_code)
    except WebPushException as error:
        print(error.response.status_code)
