"""Pushes with aioapns as it comes: python3 push_aioapns.py PORT KEY KEY_ID TEAM TOPIC CERTIFICATE DEVICE ..."""

import asyncio
import sys

import aioapns
from aioapns.connection import APNsProductionClientProtocol

port, key, key_id, team, topic, certificate, *devices = sys.argv[1:]
APNsProductionClientProtocol.APNS_SERVER = "localhost"
APNsProductionClientProtocol.APNS_PORT = int(port)


async def push(name, client):
    for device in devices:
        request = aioapns.NotificationRequest(
            device_token=device, message={"aps": {"alert": "Hello"}}, push_type=aioapns.PushType.ALERT
        )
        result = await client.send_notification(request)
        print(name, result.status, result.description or "accepted")


async def main():
    with open(key) as file:
        by_token = aioapns.APNs(
            key=file.read(), key_id=key_id, team_id=team, topic=topic, max_connection_attempts=1
        )
    await push("token", by_token)
    await push("certificate", aioapns.APNs(client_cert=certificate, topic=topic, max_connection_attempts=1))


asyncio.run(main())
