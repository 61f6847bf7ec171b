"""Seed S2: the push service of examples/sns, on one user with two devices, one of them switched off.

Arguments: the server's address, an access key id, its secret, the text of an APNs signing key, a key of the REST interface,
and the folder of the examples. Writes a line for each push that has to come: the token and the text, as JSON.
"""

import importlib.util
import json
import time
import urllib.request

from client import arguments, refused, sns, url

signing_key, admin, examples = arguments
spec = importlib.util.spec_from_file_location("example", f"{examples}/social.py")
example = importlib.util.module_from_spec(spec)
spec.loader.exec_module(example)
pushes = example.Pushes(sns)

PHONE, TABLET, NEW_PHONE, NEW_TABLET = (f"{number:064x}" for number in range(1, 5))


def expect(message, text, *tokens):
    """Returns when all of a message is delivered, so that what is done next changes nothing about it."""
    for token in tokens:
        print(json.dumps({"token": token, "text": text}))
    request = urllib.request.Request(
        f"{url}/api/v1/notifications/{message}", headers={"Authorization": f"Bearer {admin}"}
    )
    for _ in range(600):
        with urllib.request.urlopen(request) as answer:
            if json.load(answer)["data"]["status"] == "done":
                return
        time.sleep(0.05)
    raise AssertionError(f"{message} does not come to its end")


application = sns.create_platform_application(
    Name="social",
    Platform="APNS",
    Attributes={
        "PlatformCredential": signing_key,
        "PlatformPrincipal": "ABCD123456",
        "ApplePlatformTeamID": "TEAM123456",
        "ApplePlatformBundleID": "com.example.app",
    },
)["PlatformApplicationArn"]

# One user, two devices; somebody else's device follows nothing and gets nothing.
phone = pushes.add_device(application, "user-1", PHONE)
tablet = pushes.add_device(application, "user-1", TABLET)
pushes.add_device(application, "user-2", "f" * 64)
shown = sns.get_endpoint_attributes(EndpointArn=phone)["Attributes"]
assert json.loads(shown["CustomUserData"]) == {"user_uid": "user-1"}, shown
news = pushes.follow("news", phone)
tablet_news = pushes.follow("news", tablet)
assert news != tablet_news and pushes.follow("news", phone) == news

# Both are on.
expect(pushes.announce("news", "both"), "both", PHONE, TABLET)

# The tablet is switched off: neither a topic nor a push of its own reaches it, and the phone gets all.
pushes.mute_device(tablet)
expect(pushes.announce("news", "the phone alone"), "the phone alone", PHONE)
expect(pushes.announce_post("post_user-2_20220404", "a new post", phone, tablet), "a new post", PHONE)
assert [t["TopicArn"].split(":")[-1] for t in sns.list_topics()["Topics"]] == ["news"]
expect(pushes.tell(phone, "you are followed"), "you are followed", PHONE)
assert pushes.tell(tablet, "nobody reads this") is None

# The app of the phone is installed anew: the endpoint stays, and what follows goes to its new token.
pushes.move_device(phone, NEW_PHONE)
assert sns.get_endpoint_attributes(EndpointArn=phone)["Attributes"]["Token"] == NEW_PHONE
expect(pushes.announce("news", "a new token"), "a new token", NEW_PHONE)
expect(pushes.tell(phone, "a new token, directly"), "a new token, directly", NEW_PHONE)

# The tablet's new token switches it on again.
pushes.move_device(tablet, NEW_TABLET)
expect(pushes.announce("news", "both again"), "both again", NEW_PHONE, NEW_TABLET)

# The phone unfollows, the tablet is removed: the subscription of the one is gone, that of the other reaches nobody.
pushes.unfollow(news)
expect(pushes.announce("news", "the tablet alone"), "the tablet alone", NEW_TABLET)
expect(pushes.tell(phone, "still there"), "still there", NEW_PHONE)
pushes.remove_device(tablet)
left = [s["SubscriptionArn"] for s in sns.list_subscriptions_by_topic(TopicArn=pushes.topic("news"))["Subscriptions"]]
assert left == [tablet_news], left
assert pushes.announce("news", "nobody")
refused("InvalidParameter", sns.publish, TargetArn=tablet, Message="gone")

# And the topic.
topic = pushes.topic("news")
pushes.close("news")
refused("NotFound", sns.publish, TopicArn=topic, Message="gone")
assert sns.list_subscriptions()["Subscriptions"] == []
pushes.remove_device(phone)
