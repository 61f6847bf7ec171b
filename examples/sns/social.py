"""The push service of a social app on Amazon SNS: a topic for each post, endpoints that follow their tokens.

    python3 social.py PLATFORM_APPLICATION_ARN POST TOKEN [TOKEN ...]

One user has a device for each token; all are subscribed to a topic made for one post, which is published and deleted.
"""

import json
import sys

import boto3


class Pushes:
    """What the app's backend asks of SNS."""

    def __init__(self, sns, application_arn):
        self.sns = sns
        self.application_arn = application_arn

    def add_device(self, user, token):
        """Makes the endpoint of a device whose user allowed pushes."""
        return self.sns.create_platform_endpoint(
            PlatformApplicationArn=self.application_arn,
            Token=token,
            CustomUserData=json.dumps({"user_uid": user}),
        )["EndpointArn"]

    def move_device(self, endpoint_arn, token):
        """Gives an endpoint the token that its device has now, and switches it on again."""
        self.sns.set_endpoint_attributes(EndpointArn=endpoint_arn, Attributes={"Enabled": "true", "Token": token})

    def mute_device(self, endpoint_arn):
        """Switches one device off; its user's other devices stay on."""
        self.sns.set_endpoint_attributes(EndpointArn=endpoint_arn, Attributes={"Enabled": "false"})

    def remove_device(self, endpoint_arn):
        """Forgets a device."""
        self.sns.delete_endpoint(EndpointArn=endpoint_arn)

    def tell(self, endpoint_arn, text):
        """Pushes to one device, as when somebody is followed."""
        return self.sns.publish(TargetArn=endpoint_arn, Message=text)["MessageId"]

    def announce_post(self, name, endpoint_arns, text):
        """Pushes to the devices of an author's followers, through a topic that lives for one post."""
        topic = self.sns.create_topic(Name=name)["TopicArn"]
        for endpoint_arn in endpoint_arns:
            self.sns.subscribe(TopicArn=topic, Protocol="application", Endpoint=endpoint_arn)
        message = self.sns.publish(TopicArn=topic, Message=text)["MessageId"]
        self.sns.delete_topic(TopicArn=topic)
        return message


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    pushes = Pushes(boto3.client("sns"), sys.argv[1])
    devices = [pushes.add_device("user-1", token) for token in sys.argv[3:]]
    print(pushes.announce_post("post_user-1_20261121", devices, sys.argv[2]))
