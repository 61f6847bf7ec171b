"""Calls that are signed wrongly or name what is elsewhere, through boto3 as it comes: each is refused once, and with the
right code.

Arguments: the server's address, an access key id and its secret.
"""

import datetime

import boto3
import botocore.auth
from botocore.exceptions import ClientError

from client import key, refused, secret, sns, url


def client(key=key, secret=secret, region="us-east-1"):
    return boto3.client(
        "sns", region_name=region, endpoint_url=url, aws_access_key_id=key, aws_secret_access_key=secret
    )


def rejected(code, call, **arguments):
    """A refusal over the signature: with 403, and nothing that boto3 tries again."""
    try:
        call(**arguments)
    except ClientError as error:
        answer = error.response
        assert answer["Error"]["Code"] == code, answer
        assert answer["ResponseMetadata"]["HTTPStatusCode"] == 403, answer
        assert answer["ResponseMetadata"]["RetryAttempts"] == 0, answer
        return answer["Error"]["Message"]
    raise AssertionError(f"{call} was not refused with {code}")


topic = sns.create_topic(Name="news")["TopicArn"]

rejected("SignatureDoesNotMatch", client(secret=secret[:-1] + ("a" if secret[-1] != "a" else "b")).list_topics)
rejected("InvalidClientTokenId", client(key="AKIAIOSFODNN7EXAMPLE").list_topics)

# A body that somebody changed on its way.
def change_body(request, **_):
    body = request.body if isinstance(request.body, bytes) else request.body.encode()
    assert b"true" in body
    request.body = body.replace(b"true", b"fals")


changed = client()
changed.meta.events.register("before-send.sns.Publish", change_body)
rejected("SignatureDoesNotMatch", changed.publish, TopicArn=topic, Message="true")
# And a header that is signed.
changed = client()
changed.meta.events.register(
    "before-send.sns.*", lambda request, **_: request.headers.__setitem__("Content-Type", "text/plain")
)
rejected("SignatureDoesNotMatch", changed.list_topics)

# A clock that is more than five minutes off, either way. The server's stands where it stood when the test began, so that
# nothing here depends on how long this takes.
now = botocore.auth.get_current_datetime
try:
    for minutes, is_refused in [(-15, True), (15, True), (-4, False)]:
        shift = datetime.timedelta(minutes=minutes)
        botocore.auth.get_current_datetime = lambda *some, **more: now(*some, **more) + shift
        if is_refused:
            text = rejected("SignatureDoesNotMatch", client().list_topics)
            assert ("expired" in text) == (minutes < 0), text
        else:
            client().list_topics()
finally:
    botocore.auth.get_current_datetime = now

# Names of another region, and of another account.
assert refused("InvalidParameter", client(region="eu-central-1").publish, TopicArn=topic, Message="m") == (
    "Invalid parameter: TopicArn"
)
elsewhere = topic.replace("us-east-1", "eu-central-1")
assert refused("InvalidParameter", sns.get_topic_attributes, TopicArn=elsewhere) == "Invalid parameter: TopicArn"
refused("AuthorizationError", sns.publish, TopicArn=topic.replace("123456789012", "999999999999"), Message="m")
# The same name in another region is another topic.
assert client(region="eu-central-1").list_topics()["Topics"] == []
assert [item["TopicArn"] for item in sns.list_topics()["Topics"]] == [topic]

# Each operation that is not here says so in a way that boto3 reads.
for call, arguments in [
    (sns.get_sms_attributes, {}),
    (sns.set_sms_attributes, {"attributes": {"DefaultSMSType": "Promotional"}}),
    (sns.check_if_phone_number_is_opted_out, {"phoneNumber": "+15551234567"}),
    (sns.list_phone_numbers_opted_out, {}),
    (sns.opt_in_phone_number, {"phoneNumber": "+15551234567"}),
    (sns.list_origination_numbers, {}),
    (sns.get_sms_sandbox_account_status, {}),
    (sns.list_sms_sandbox_phone_numbers, {}),
    (sns.create_sms_sandbox_phone_number, {"PhoneNumber": "+15551234567"}),
    (sns.verify_sms_sandbox_phone_number, {"PhoneNumber": "+15551234567", "OneTimePassword": "123456"}),
    (sns.delete_sms_sandbox_phone_number, {"PhoneNumber": "+15551234567"}),
    (sns.get_data_protection_policy, {"ResourceArn": topic}),
    (sns.put_data_protection_policy, {"ResourceArn": topic, "DataProtectionPolicy": "{}"}),
]:
    assert "does not offer" in refused("InvalidParameter", call, **arguments), call
