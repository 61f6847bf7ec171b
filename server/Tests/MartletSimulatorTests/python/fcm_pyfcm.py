"""Sends with pyfcm, over HTTP/1.1: python3 fcm_pyfcm.py URL ACCOUNT TOKEN ..."""

import json
import sys

from pyfcm import FCMNotification, errors

url, account, *tokens = sys.argv[1:]
with open(account) as file:
    project = json.load(file)["project_id"]
FCMNotification.FCM_END_POINT_BASE = url + "/v1/projects"
client = FCMNotification(service_account_file=account, project_id=project)
for token in tokens:
    try:
        answer = client.notify(fcm_token=token, notification_title="Hello", notification_body="World", timeout=20)
        print("accepted" if answer["name"].startswith("projects/") else "no name")
    except errors.FCMError as error:
        print(type(error).__name__)
