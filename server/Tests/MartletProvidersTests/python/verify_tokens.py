"""Verifies what we sign: python3 verify_tokens.py PUBLIC_KEY GRANT AUDIENCE AUTHORIZATION, prints what the claims are.

PyJWT verifies the grant of a service account with its public key (a PEM file), py-vapid a push's authorization.
"""

import json
import sys

import jwt
from py_vapid import Vapid02

path, grant, audience, authorization = sys.argv[1:]
with open(path) as file:
    key = file.read()
claims = jwt.decode(grant, key, algorithms=["RS256"], audience=audience, options={"require": ["iss", "iat", "exp"]})
print(json.dumps(claims, sort_keys=True))
assert Vapid02.verify(authorization), "py-vapid does not take the authorization"
head, signature = authorization.rsplit(".", 1)
changed = head + "." + ("A" if signature[0] != "A" else "B") + signature[1:]
assert not Vapid02.verify(changed), "py-vapid takes a changed one"
print("verified")
