"""Sends with firebase-admin, over HTTP/1.1: python3 fcm_firebase_admin.py URL ACCOUNT TOKEN ..."""

import sys

import firebase_admin
from firebase_admin import credentials, exceptions, messaging

url, account, *tokens = sys.argv[1:]
messaging._MessagingService.FCM_URL = url + "/v1/projects/{0}/messages:send"
firebase_admin.initialize_app(credentials.Certificate(account), {"httpTimeout": 20})
for token in tokens:
    message = messaging.Message(
        token=token,
        notification=messaging.Notification(title="Hello", body="World"),
        data={"a": "b"},
        android=messaging.AndroidConfig(priority="high", ttl=60, collapse_key="news"),
    )
    try:
        print("accepted" if messaging.send(message).startswith("projects/") else "no name")
    except exceptions.FirebaseError as error:
        print(type(error).__name__)
