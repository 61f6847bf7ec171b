"""Pushes with kalyke as it comes: python3 push_kalyke.py PORT KEY KEY_ID TEAM TOPIC CERTIFICATE DEVICE ...

Its only client with a certificate is the one for VoIP.
"""

import asyncio
import sys
import warnings

from kalyke import ApnsClient, ApnsConfig, Payload, VoIPApnsConfig
from kalyke.clients.voip_certificate import VoIPCertificateClient
from kalyke.exceptions import ApnsProviderException

port, key, key_id, team, topic, certificate, *devices = sys.argv[1:]
warnings.simplefilter("ignore", DeprecationWarning)


class TokenClient(ApnsClient):
    _base_url = f"https://localhost:{port}"


class CertificateClient(VoIPCertificateClient):
    _base_url = f"https://localhost:{port}"


async def push(name, client, payload, config):
    for device in devices:
        try:
            await client.send_message(device, payload, config)
            print(name, 200, "accepted")
        except ApnsProviderException as error:
            print(name, "error", type(error).__name__)


async def main():
    by_token = TokenClient(use_sandbox=False, team_id=team, auth_key_id=key_id, auth_key_filepath=key)
    await push("token", by_token, Payload(alert="Hello"), ApnsConfig(topic=topic))
    by_certificate = CertificateClient(use_sandbox=False, auth_key_filepath=certificate)
    await push("certificate", by_certificate, {"call": 1}, VoIPApnsConfig(topic=f"{topic}.voip"))


asyncio.run(main())
