"""Opens sealed messages with http_ece: python3 open_messages.py KEY AUTH FILE, prints how many were right.

The key is a private key of P-256 in PEM, the secret is in hexadecimal. The file has records: the plaintext's length, the padded length and the
body's length as 32 bits each, then the body. Byte j of the n-th plaintext is n + 7j modulo 256; zeros of padding follow.
"""

import struct
import sys

import http_ece
from cryptography.hazmat.primitives.serialization import load_pem_private_key

with open(sys.argv[1], "rb") as file:
    key = load_pem_private_key(file.read(), password=None)
auth = bytes.fromhex(sys.argv[2])
with open(sys.argv[3], "rb") as file:
    records = file.read()

# One period of the pattern, long enough for every message from every beginning.
pattern = bytes((7 * j) & 255 for j in range(256 * 18))
position = number = right = 0
while position < len(records):
    length, padded, size = struct.unpack_from(">III", records, position)
    position += 12
    body = records[position : position + size]
    position += size
    # 7 times 183 is 1 modulo 256: the n-th plaintext begins where the pattern has n.
    begin = (number * 183) & 255
    expected = pattern[begin : begin + length]
    assert len(expected) == length and (length == 0 or expected[0] == number & 255)
    assert size == padded + 103, f"message {number} has {size} bytes"
    opened = http_ece.decrypt(body, private_key=key, auth_secret=auth, version="aes128gcm")
    assert opened == expected, f"message {number} of {length} bytes was opened as something else"
    number += 1
    right += 1
print(right)
