"""Sends with async-firebase, over HTTP/2: python3 fcm_async_firebase.py URL ACCOUNT TOKEN ..."""

import asyncio
import json
import sys

from async_firebase import AsyncFirebaseClient, _credentials
from async_firebase.messages import AndroidConfig, Message, Notification

url, account, *tokens = sys.argv[1:]


async def main():
    AsyncFirebaseClient.BASE_URL = url
    # It asks Google for tokens, whatever the account's file says.
    with open(account) as file:
        _credentials.TOKEN_URL = json.load(file)["token_uri"]
    async with AsyncFirebaseClient(use_http2=True) as client:
        client.creds_from_service_account_file(account)
        for token in tokens:
            answer = await client.send(
                Message(
                    token=token,
                    notification=Notification(title="Hello", body="World"),
                    android=AndroidConfig(priority="high"),
                )
            )
            if answer.success:
                print("accepted" if answer.message_id.startswith("projects/") else "no name")
            else:
                print(type(answer.exception).__name__)


asyncio.run(main())
