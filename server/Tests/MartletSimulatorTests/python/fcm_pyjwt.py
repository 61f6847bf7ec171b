"""Asks for an access token with a grant of PyJWT, and sends with httpx over HTTP/2: python3 fcm_pyjwt.py URL ACCOUNT TOKEN ..."""

import json
import sys
import time

import httpx
import jwt

url, account, *tokens = sys.argv[1:]
with open(account) as file:
    key = json.load(file)
now = int(time.time())
grant = jwt.encode(
    {
        "iss": key["client_email"],
        "aud": key["token_uri"],
        "scope": "https://www.googleapis.com/auth/firebase.messaging",
        "iat": now,
        "exp": now + 3600,
    },
    key["private_key"],
    "RS256",
    headers={"kid": key["private_key_id"]},
)
with httpx.Client(http2=True) as client:
    form = {"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": grant}
    answer = client.post(key["token_uri"], data=form)
    assert answer.http_version == "HTTP/2"
    bearer = answer.json()["access_token"]
    for token in tokens:
        answer = client.post(
            f"{url}/v1/projects/{key['project_id']}/messages:send",
            headers={"authorization": f"Bearer {bearer}"},
            json={"message": {"token": token}},
        )
        details = answer.json().get("error", {}).get("details", [])
        print(*["accepted"] if answer.is_success else [answer.status_code, details[0]["errorCode"]])
