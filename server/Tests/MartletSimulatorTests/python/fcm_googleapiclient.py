"""Sends with google-api-python-client, over HTTP/1.1: python3 fcm_googleapiclient.py URL ACCOUNT TOKEN ..."""

import json
import sys

from google.oauth2 import service_account
from googleapiclient import discovery
from googleapiclient.errors import HttpError

url, account, *tokens = sys.argv[1:]
with open(account) as file:
    project = json.load(file)["project_id"]
credentials = service_account.Credentials.from_service_account_file(
    account, scopes=["https://www.googleapis.com/auth/firebase.messaging"]
)
fcm = discovery.build("fcm", "v1", credentials=credentials, client_options={"api_endpoint": url})
for token in tokens:
    body = {"message": {"token": token, "data": {"a": "b"}, "android": {"collapseKey": "news", "ttl": "60s"}}}
    try:
        answer = fcm.projects().messages().send(parent=f"projects/{project}", body=body).execute(num_retries=0)
        print("accepted" if answer["name"].startswith("projects/") else "no name")
    except HttpError as error:
        codes = [detail.get("errorCode") for detail in error.error_details]
        print(error.resp.status, *(code for code in codes if code))
