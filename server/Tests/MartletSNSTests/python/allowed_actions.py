"""A key that may publish to one topic, and a session token beside a key, through boto3 as it comes.

Arguments: the server's address, an access key id and its secret, the topic, another topic.
"""

import boto3

from client import arguments, key, refused, secret, sns, url

topic, other = arguments

assert sns.publish(TopicArn=topic, Message="m")["MessageId"]
for call, action, parameters in [
    (sns.publish, "Publish", {"TopicArn": other, "Message": "m"}),
    (sns.delete_topic, "DeleteTopic", {"TopicArn": topic}),
    (sns.set_topic_attributes, "SetTopicAttributes", {"TopicArn": topic, "AttributeName": "DisplayName"}),
]:
    text = refused("AuthorizationError", call, **parameters)
    user = "User: arn:aws:iam::123456789012:user/backend is not authorized to perform: "
    assert text.startswith(f"{user}SNS:{action} on resource: {parameters['TopicArn']} "), text
try:
    sns.list_topics()
    raise AssertionError("topics were listed")
except sns.exceptions.AuthorizationErrorException as error:
    assert error.response["ResponseMetadata"]["HTTPStatusCode"] == 403, error.response
    assert error.response["ResponseMetadata"]["RetryAttempts"] == 0, error.response

session = boto3.client(
    "sns",
    region_name="us-east-1",
    endpoint_url=url,
    aws_access_key_id=key,
    aws_secret_access_key=secret,
    aws_session_token="session",
)
text = refused("InvalidClientTokenId", session.publish, TopicArn=topic, Message="m")
assert text == "The security token included in the request is invalid.", text
