"""The push service of a social app on Amazon SNS: a topic for each post, endpoints that follow their tokens.

    python3 social.py COMMAND ARGUMENT...

The commands are the methods of `Pushes`, each with its arguments; what one returns is printed. A user has an endpoint for
each device, and a device whose pushes are switched off is skipped while the user's other devices get theirs.
"""

import json
import sys

import boto3


class Pushes:
    """What the app's backend asks of SNS."""

    def __init__(self, sns):
        self.sns = sns

    def add_device(self, application_arn, user, token):
        """Makes the endpoint of a device whose user allowed pushes; returns its ARN."""
        return self.sns.create_platform_endpoint(
            PlatformApplicationArn=application_arn,
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
        """Pushes to one device, as when somebody is followed; returns the message's id, or nothing for one that is off."""
        try:
            return self.sns.publish(TargetArn=endpoint_arn, Message=text)["MessageId"]
        except self.sns.exceptions.EndpointDisabledException:
            return None

    def follow(self, name, endpoint_arn):
        """Has a device get what is announced under a name; returns the subscription's ARN."""
        return self.sns.subscribe(TopicArn=self.topic(name), Protocol="application", Endpoint=endpoint_arn)[
            "SubscriptionArn"
        ]

    def unfollow(self, subscription_arn):
        """Ends that."""
        self.sns.unsubscribe(SubscriptionArn=subscription_arn)

    def announce(self, name, text):
        """Pushes to the devices that follow a name; returns the message's id."""
        return self.sns.publish(TopicArn=self.topic(name), Message=text)["MessageId"]

    def close(self, name):
        """Forgets a name and who follows it."""
        self.sns.delete_topic(TopicArn=self.topic(name))

    def announce_post(self, name, text, *endpoint_arns):
        """Pushes to the devices of an author's followers, through a topic that lives for one post."""
        for endpoint_arn in endpoint_arns:
            self.follow(name, endpoint_arn)
        message = self.announce(name, text)
        self.close(name)
        return message

    def topic(self, name):
        """The ARN of a name's topic, which is made where there is none."""
        return self.sns.create_topic(Name=name)["TopicArn"]


if __name__ == "__main__":
    command = getattr(Pushes, sys.argv[1], None) if len(sys.argv) > 1 and sys.argv[1].isidentifier() else None
    if command is None:
        sys.exit(__doc__)
    answer = command(Pushes(boto3.client("sns")), *sys.argv[2:])
    if answer is not None:
        print(answer)
