"""Every call about topics, tags, permissions and subscriptions, as a program with boto3 makes them.

Arguments: the server's address, an access key id, its secret, and the ARN of an endpoint.
"""

import json

from client import arguments, refused, sns

(endpoint,) = arguments

assert sns.list_topics()["Topics"] == []
assert sns.list_subscriptions()["Subscriptions"] == []
topic = sns.create_topic(
    Name="news", Attributes={"DisplayName": "Nachrichten ✓ <&>"}, Tags=[{"Key": "team", "Value": "a+b"}]
)["TopicArn"]
assert [t["TopicArn"] for t in sns.list_topics()["Topics"]] == [topic]
attributes = sns.get_topic_attributes(TopicArn=topic)["Attributes"]
assert attributes["DisplayName"] == "Nachrichten ✓ <&>", attributes
assert len(json.loads(attributes["Policy"])["Statement"][0]["Action"]) == 8
sns.set_topic_attributes(TopicArn=topic, AttributeName="SignatureVersion", AttributeValue="2")
assert sns.get_topic_attributes(TopicArn=topic)["Attributes"]["SignatureVersion"] == "2"

sns.tag_resource(ResourceArn=topic, Tags=[{"Key": "stage", "Value": "test"}])
assert {t["Key"] for t in sns.list_tags_for_resource(ResourceArn=topic)["Tags"]} == {"team", "stage"}
sns.untag_resource(ResourceArn=topic, TagKeys=["team", "stage"])
assert sns.list_tags_for_resource(ResourceArn=topic)["Tags"] == []
refused("ResourceNotFound", sns.list_tags_for_resource, ResourceArn=topic + "x")

sns.add_permission(TopicArn=topic, Label="l", AWSAccountId=["111122223333"], ActionName=["Publish"])
policy = json.loads(sns.get_topic_attributes(TopicArn=topic)["Attributes"]["Policy"])
assert policy["Statement"][1]["Sid"] == "l"
sns.remove_permission(TopicArn=topic, Label="l")

subscription = sns.subscribe(
    TopicArn=topic,
    Protocol="application",
    Endpoint=endpoint,
    Attributes={"FilterPolicy": json.dumps({"device_id": ["ä", "b"]})},
)["SubscriptionArn"]
shown = sns.get_subscription_attributes(SubscriptionArn=subscription)["Attributes"]
assert json.loads(shown["FilterPolicy"]) == {"device_id": ["ä", "b"]}
assert shown["FilterPolicyScope"] == "MessageAttributes"
sns.set_subscription_attributes(SubscriptionArn=subscription, AttributeName="FilterPolicy", AttributeValue="")
assert "FilterPolicy" not in sns.get_subscription_attributes(SubscriptionArn=subscription)["Attributes"]
message = refused(
    "InvalidParameter",
    sns.set_subscription_attributes,
    SubscriptionArn=subscription,
    AttributeName="FilterPolicy",
    AttributeValue='{"key":[{"suffix":100}]}',
)
assert message.endswith('[Source: (String)"{"key":[{"suffix":100}]}"; line: 1, column: 22]'), message
assert sns.subscribe(TopicArn=topic, Protocol="https", Endpoint="https://hooks.example.com/")[
    "SubscriptionArn"
] == "pending confirmation"
pages = sns.get_paginator("list_subscriptions_by_topic").paginate(TopicArn=topic)
listed = [s["SubscriptionArn"] for page in pages for s in page["Subscriptions"]]
assert listed == [subscription, "PendingConfirmation"], listed
assert len(sns.list_subscriptions()["Subscriptions"]) == 2
sns.unsubscribe(SubscriptionArn=subscription)
sns.unsubscribe(SubscriptionArn=subscription)
refused("NotFound", sns.get_subscription_attributes, SubscriptionArn=subscription)

try:
    sns.subscribe(TopicArn=topic + "x", Protocol="https", Endpoint="https://hooks.example.com/")
    raise AssertionError("there is no such topic")
except sns.exceptions.NotFoundException:
    pass
for _ in range(2):
    sns.delete_topic(TopicArn=topic)
assert sns.list_topics()["Topics"] == []

for number in range(120):
    sns.create_topic(Name=f"topic-{number}")
names = [t["TopicArn"] for page in sns.get_paginator("list_topics").paginate() for t in page["Topics"]]
assert len(set(names)) == 120, len(names)
print("ok")
