"""What the programs here begin with: a client of boto3 as it comes, for the server, access key id and secret of the first
three arguments."""

import sys

import boto3
from botocore.exceptions import ClientError

url, key, secret, *arguments = sys.argv[1:]


def client(secret=secret):
    return boto3.client(
        "sns", region_name="us-east-1", endpoint_url=url, aws_access_key_id=key, aws_secret_access_key=secret
    )


sns = client()


def refused(code, call, **arguments):
    """The text of a refusal with this code; another end is none."""
    try:
        call(**arguments)
    except ClientError as error:
        assert error.response["Error"]["Code"] == code, error
        return error.response["Error"]["Message"]
    raise AssertionError(f"{call} was not refused")
