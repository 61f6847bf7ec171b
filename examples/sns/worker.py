"""Tells the phones that show a device's dashboard that the analysis of a day is done.

    python3 worker.py TOPIC_ARN DEVICE_ID DATE

It is what a worker on Amazon SNS looks like, with nothing changed for Martlet: boto3 finds the server by
AWS_ENDPOINT_URL_SNS and signs with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, all from the environment.
"""

import json
import sys

import boto3


def announce(sns, topic_arn, device_id, date):
    """Publishes to the topic; who gets it is decided by the filter on `device_id`. Returns the message's id."""
    push = {
        "aps": {
            "alert": {"title": "データ更新完了", "body": "新しい分析結果が利用可能です"},
            "sound": "default",
            "badge": 1,
        },
        "device_id": device_id,
        "date": date,
        "action": "refresh_dashboard",
    }
    answer = sns.publish(
        TopicArn=topic_arn,
        Message=json.dumps({"default": "Dashboard updated", "APNS": json.dumps(push)}),
        MessageStructure="json",
        MessageAttributes={"device_id": {"DataType": "String", "StringValue": device_id}},
    )
    return answer["MessageId"]


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    print(announce(boto3.client("sns"), *sys.argv[1:]))
