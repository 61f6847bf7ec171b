"""Every way to publish, as programs with boto3 do it: seed S1's worker, seed S2's service, batches and FIFO topics.

Arguments: the server's address, an access key id, its secret, and the text of an APNs signing key. Writes a line for each
push that has to come: the token and the payload, as JSON.
"""

import json

from client import arguments, refused, sns

(signing_key,) = arguments


def token(number):
    return f"{number:064x}"


def expect(number, payload):
    print(json.dumps({"token": token(number), "payload": payload}))


application = sns.create_platform_application(
    Name="watchme-ios-app",
    Platform="APNS",
    Attributes={
        "PlatformCredential": signing_key,
        "PlatformPrincipal": "ABCD123456",
        "ApplePlatformTeamID": "TEAM123456",
        "ApplePlatformBundleID": "com.example.app",
    },
)["PlatformApplicationArn"]


def endpoint(number, **arguments):
    return sns.create_platform_endpoint(
        PlatformApplicationArn=application, Token=token(number), **arguments
    )["EndpointArn"]


# S1: a filtered topic, and a payload of the platform's own.
topic = sns.create_topic(Name="watchme-dashboard-updates")["TopicArn"]
for number, device in enumerate(["1cf67321-f1aa-4c51-b642-cbd7837c45d5", "another"]):
    sns.subscribe(
        TopicArn=topic,
        Protocol="application",
        Endpoint=endpoint(number),
        Attributes={"FilterPolicy": json.dumps({"device_id": [device]})},
    )
payload = json.dumps(
    {
        "aps": {
            "alert": {"title": "データ更新完了", "body": "新しい分析結果が利用可能です"},
            "sound": "default",
            "badge": 1,
        },
        "device_id": "1cf67321-f1aa-4c51-b642-cbd7837c45d5",
        "date": "2025-10-13",
        "action": "refresh_dashboard",
    }
)
response = sns.publish(
    TopicArn=topic,
    Message=json.dumps({"default": "Dashboard updated", "APNS": payload}),
    MessageStructure="json",
    MessageAttributes={
        "device_id": {"DataType": "String", "StringValue": "1cf67321-f1aa-4c51-b642-cbd7837c45d5"},
        "bytes": {"DataType": "Binary", "BinaryValue": b"\x00\x01"},
        "AWS.SNS.MOBILE.APNS.TTL": {"DataType": "Number", "StringValue": "600"},
    },
)
assert len(response["MessageId"]) == 36 and "SequenceNumber" not in response, response
expect(0, payload)

# S2: direct pushes; a device that is off; an endpoint that is gone.
phone = endpoint(2, CustomUserData=json.dumps({"user_uid": "u1"}))
tablet = endpoint(3, CustomUserData=json.dumps({"user_uid": "u1"}))
sns.set_endpoint_attributes(EndpointArn=tablet, Attributes={"Enabled": "false"})
assert sns.publish(TargetArn=phone, Message="followed")["MessageId"]
expect(2, '{"aps":{"alert":"followed"}}')
try:
    sns.publish(TargetArn=tablet, Message="{", MessageStructure="json")
    raise AssertionError("a disabled endpoint was published to")
except sns.exceptions.EndpointDisabledException:
    pass
post = sns.create_topic(Name="staging_u1_20220404")["TopicArn"]
for arn in (phone, tablet):
    sns.subscribe(TopicArn=post, Protocol="application", Endpoint=arn)
sns.publish(TopicArn=post, Message="新しい投稿", Subject="投稿")
sns.delete_topic(TopicArn=post)
expect(2, '{"aps":{"alert":"新しい投稿"}}')
refused("NotFound", sns.publish, TopicArn=post, Message="m")
sns.delete_endpoint(EndpointArn=tablet)
text = refused("InvalidParameter", sns.publish, TargetArn=tablet, Message="m")
assert text == "Invalid parameter: TargetArn Reason: No endpoint found for the target arn specified", text

# What a request can be refused for.
refused("InvalidParameter", sns.publish, TopicArn=topic, Message="")
refused("InvalidParameter", sns.publish, TopicArn=topic, Message="a" * 262_145)
refused("InvalidParameter", sns.publish, PhoneNumber="+15551234567", Message="m")
refused(
    "ParameterValueInvalid",
    sns.publish,
    TopicArn=topic,
    Message="m",
    MessageAttributes={"a": {"DataType": "Nothing", "StringValue": "x"}},
)
refused(
    "InvalidParameter",
    sns.publish,
    TargetArn=phone,
    Message=json.dumps({"APNS": json.dumps({"aps": {"alert": "a" * 4_096}})}),
    MessageStructure="json",
)
assert sns.publish(TopicArn=topic, Message="€" * 87_381)["MessageId"]

# A batch, one entry of which is at fault.
lonely = sns.create_topic(Name="lonely")["TopicArn"]
batch = sns.publish_batch(
    TopicArn=lonely,
    PublishBatchRequestEntries=[
        {"Id": "1", "Message": "a", "MessageAttributes": {"n": {"DataType": "Number", "StringValue": "1"}}},
        {"Id": "2", "Message": "", "Subject": "s"},
        {"Id": "3", "Message": "c"},
    ],
)
assert [entry["Id"] for entry in batch["Successful"]] == ["1", "3"], batch
assert [(f["Id"], f["Code"], f["SenderFault"]) for f in batch["Failed"]] == [("2", "InvalidParameter", True)], batch
entries = [{"Id": str(number), "Message": "m"} for number in range(11)]
refused("TooManyEntriesInBatchRequest", sns.publish_batch, TopicArn=lonely, PublishBatchRequestEntries=entries)
refused("EmptyBatchRequest", sns.publish_batch, TopicArn=lonely, PublishBatchRequestEntries=[])

# FIFO: order and repetitions.
line = sns.create_topic(Name="line.fifo", Attributes={"FifoTopic": "true", "ContentBasedDeduplication": "true"})
line = line["TopicArn"]
first = sns.publish(TopicArn=line, Message="one", MessageGroupId="g")
again = sns.publish(TopicArn=line, Message="one", MessageGroupId="g")
second = sns.publish(TopicArn=line, Message="one", MessageGroupId="g", MessageDeduplicationId="2")
assert (again["MessageId"], again["SequenceNumber"]) == (first["MessageId"], first["SequenceNumber"])
assert len(first["SequenceNumber"]) == 20 and second["SequenceNumber"] > first["SequenceNumber"]
refused("InvalidParameter", sns.publish, TopicArn=line, Message="m")
