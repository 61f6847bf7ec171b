"""The notices of a social app over the API of Amazon SNS, with boto3.

The calls are those that such a backend makes at Amazon. What it keeps itself is the table of its users' endpoints; the
tables of switches and of notices are Martlet's: a message names its category and the key of its notice in attributes that
begin with `MARTLET.`, and two small REST calls, for which SNS has no operation, set switches and read the notices.
"""

import json

from rest import quoted


class Backend:
    """What the app does, as functions; those that publish return the ids of their messages."""

    APP = "social-sns"

    def __init__(self, sns, rest, application_arn):
        self.sns = sns
        self.rest = rest
        self.application_arn = application_arn
        # Endpoints are made with {"user_uid": …} as their data. With this setting they belong to that user, whose devices
        # all have one list of notices.
        rest("PATCH", f"apps/{self.APP}", {"sns_user_pointer": "/user_uid"})
        # A user has an ARN too: arn:aws:sns:REGION:ACCOUNT:user/APP/USER. It needs no endpoint.
        self.user_prefix = application_arn.rsplit(":", 1)[0] + f":user/{self.APP}/"
        # The backend's own database.
        self.endpoints = {}
        self.followers = {}
        self.announcement_subscriptions = {}
        # Its messages are announcements unless they say otherwise, and leave a notice.
        self.announcements = self.sns.create_topic(
            Name="announcements",
            Tags=[
                {"Key": "martlet:category", "Value": "announcement"},
                {"Key": "martlet:inbox", "Value": "true"},
            ],
        )["TopicArn"]

    # Devices

    def add_device(self, user, token):
        """The app was started for the first time and its user allowed pushes."""
        arn = self.sns.create_platform_endpoint(
            PlatformApplicationArn=self.application_arn,
            Token=token,
            CustomUserData=json.dumps({"user_uid": user}),
        )["EndpointArn"]
        self.endpoints.setdefault(user, [])
        if arn not in self.endpoints[user]:
            self.endpoints[user].append(arn)
        return arn

    def move_device(self, endpoint, token):
        """The device has a new token, and its app knew the old one."""
        self.sns.set_endpoint_attributes(EndpointArn=endpoint, Attributes={"Enabled": "true", "Token": token})

    def remove_device(self, user, endpoint):
        """The user does not want pushes on this device any more."""
        self.sns.delete_endpoint(EndpointArn=endpoint)
        self.endpoints[user].remove(endpoint)

    def sweep(self):
        """The batch job: deletes the endpoints that Apple called gone, such as those from before a re-install."""
        pages = self.sns.get_paginator("list_endpoints_by_platform_application")
        gone = [
            endpoint["EndpointArn"]
            for page in pages.paginate(PlatformApplicationArn=self.application_arn)
            for endpoint in page["Endpoints"]
            if endpoint["Attributes"]["Enabled"] == "false"
        ]
        for arn in gone:
            self.sns.delete_endpoint(EndpointArn=arn)
            for endpoints in self.endpoints.values():
                if arn in endpoints:
                    endpoints.remove(arn)
        return len(gone)

    # What happens in the app

    def follow(self, user, author):
        """Somebody follows an author, who is told."""
        self.followers.setdefault(author, []).append(user)
        return self._tell(author, "follow", f"follow:{user}:{author}", f"{user} follows you", f"social://users/{user}")

    def post(self, author, post):
        """An author has posted: a topic is made, the followers' endpoints are subscribed, one message is published, and the
        topic is deleted at once. What was accepted is delivered all the same."""
        topic = self.sns.create_topic(Name=f"post_{author}_{post}")["TopicArn"]
        for follower in self.followers.get(author, []):
            for endpoint in self._targets(follower):
                self.sns.subscribe(TopicArn=topic, Protocol="application", Endpoint=endpoint)
        message = self._publish(
            {"TopicArn": topic}, "post", f"post:{post}", f"{author} has a new post", f"social://posts/{post}"
        )
        self.sns.delete_topic(TopicArn=topic)
        return [message]

    def comment(self, user, author, post, number):
        """Somebody comments on an author's post."""
        text = f"{user} commented on your post"
        return self._tell(author, "comment", f"comment:{number}", text, f"social://posts/{post}")

    def reply(self, user, commenter, post, number):
        """Somebody replies to a comment."""
        text = f"{user} replied to your comment"
        return self._tell(commenter, "reply", f"reply:{number}", text, f"social://posts/{post}")

    # The admin page

    def announce(self, number, text):
        """An announcement to all who want it."""
        payload = self._payload(text, f"social://announcements/{number}")
        return [self.sns.publish(TopicArn=self.announcements, MessageStructure="json", Message=payload)["MessageId"]]

    def announce_to(self, users, number, text):
        """An announcement to chosen people."""
        link = f"social://announcements/{number}"
        return [
            message
            for user in users
            for message in self._tell(user, "announcement", f"announcement:{number}", text, link)
        ]

    # The settings screen and the list of notices

    def join(self, user):
        """A new user: announcements are on."""
        self.endpoints.setdefault(user, [])
        self.switch(user, "announcement", True)

    def switch(self, user, category, is_on):
        """Switches a kind of notice for a user, on all of their devices: neither push nor notice when it is off."""
        if category == "announcement":
            if is_on:
                self.announcement_subscriptions[user] = self.sns.subscribe(
                    TopicArn=self.announcements,
                    Protocol="application",
                    Endpoint=self.user_prefix + quoted(user),
                    ReturnSubscriptionArn=True,
                )["SubscriptionArn"]
            elif user in self.announcement_subscriptions:
                self.sns.unsubscribe(SubscriptionArn=self.announcement_subscriptions.pop(user))
        change = {"categories": {category: {"enabled": is_on}}}
        self.rest("PATCH", f"users/{quoted(user)}/preferences", change, app=self.APP)

    def notices(self, user):
        """What a user can read later, newest first."""
        return list(self.rest.pages(f"users/{quoted(user)}/inbox", app=self.APP))

    # What they have in common

    def _tell(self, user, category, key, text, link):
        """Publishes to each of a user's endpoints. All of these messages have one key, so that there is one notice."""
        messages = []
        for target in self._targets(user):
            try:
                messages.append(self._publish({"TargetArn": target}, category, key, text, link))
            except self.sns.exceptions.EndpointDisabledException:
                # Apple called it gone; the batch job deletes it.
                continue
        return messages

    def _targets(self, user):
        """A user's endpoints, or the user where there is none: the notice is left all the same."""
        return list(self.endpoints.get(user) or [self.user_prefix + quoted(user)])

    def _publish(self, target, category, key, text, link):
        return self.sns.publish(
            **target,
            MessageStructure="json",
            Message=self._payload(text, link),
            MessageAttributes={
                "MARTLET.CATEGORY": {"DataType": "String", "StringValue": category},
                "MARTLET.INBOX_KEY": {"DataType": "String", "StringValue": key},
            },
        )["MessageId"]

    @staticmethod
    def _payload(text, link):
        push = {"aps": {"alert": {"title": "Social", "body": text}, "sound": "default"}, "deep_link": link}
        return json.dumps({"default": text, "APNS": json.dumps(push)})
