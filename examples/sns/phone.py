"""Registers a phone for one device's dashboard: makes its endpoint and subscribes it with a filter.

    python3 phone.py PLATFORM_APPLICATION_ARN TOPIC_ARN TOKEN DEVICE_ID

A backend does this when the app hands over its token. Repeated, it changes nothing and prints the same ARNs.
"""

import json
import sys

import boto3


def register(sns, application_arn, topic_arn, token, device_id):
    """Returns the ARNs of the endpoint and of its subscription."""
    endpoint = sns.create_platform_endpoint(PlatformApplicationArn=application_arn, Token=token)["EndpointArn"]
    subscription = sns.subscribe(
        TopicArn=topic_arn,
        Protocol="application",
        Endpoint=endpoint,
        Attributes={"FilterPolicy": json.dumps({"device_id": [device_id]})},
        ReturnSubscriptionArn=True,
    )
    return endpoint, subscription["SubscriptionArn"]


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    for arn in register(boto3.client("sns"), *sys.argv[1:]):
        print(arn)
