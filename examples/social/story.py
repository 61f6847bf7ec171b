"""Plays the story of a social app's notices, and says what came of each scene.

    python3 story.py [sns|rest]

Without an argument both are played: the backend on the API of Amazon SNS, which needs boto3, and the one on REST.
"""

import collections
import sys

from stage import BUNDLE, KEY_ID, TEAM_ID, running

PHONE, TABLET, BOBS, DANS, REINSTALLED, ROTATED = (f"{number:064x}" for number in range(1, 7))


def sns_backend(stage):
    """The backend on SNS, with an access key and a platform application of its own."""
    try:
        import boto3
    except ImportError:
        sys.exit("The backend on SNS needs boto3: 'make social' installs it, or 'pip install boto3'.")
    import sns_backend

    key = stage.rest("POST", "access-keys", {"name": "social"})
    sns = boto3.client(
        "sns",
        endpoint_url=stage.server,
        region_name="us-east-1",
        aws_access_key_id=key["access_key_id"],
        aws_secret_access_key=key["secret_access_key"],
    )
    application = sns.create_platform_application(
        Name=sns_backend.Backend.APP,
        Platform="APNS",
        Attributes={
            "PlatformCredential": stage.key,
            "PlatformPrincipal": KEY_ID,
            "ApplePlatformTeamID": TEAM_ID,
            "ApplePlatformBundleID": BUNDLE,
        },
    )["PlatformApplicationArn"]
    stage.prepare(sns_backend.Backend.APP)
    return sns_backend.Backend(sns, stage.rest, application)


def rest_backend(stage):
    """The backend on REST, with an app of its own."""
    import rest_backend

    app = rest_backend.Backend.APP
    stage.rest("POST", "apps", {"name": app})
    credential = {
        "platform": "apns",
        "p8": stage.key,
        "key_id": KEY_ID,
        "team_id": TEAM_ID,
        "bundle_id": BUNDLE,
        "url": stage.apns,
        "trust": stage.trust,
    }
    stage.rest("PUT", f"apps/{app}/credentials", credential)
    stage.prepare(app)
    return rest_backend.Backend(stage.rest)


class Story:
    """The scenes. Each is what a line of the app's requirements says, and is named in the README's table."""

    def __init__(self, backend, stage):
        self.backend = backend
        self.stage = stage
        # What is expected in each list of notices, newest first.
        self.notices = {user: [] for user in ["ann", "bob", "cid", "dan"]}

    def play(self):
        """Plays all of them, in their order; returns how many there were."""
        scenes = [
            self.followed,
            self.post_by_followee,
            self.comment,
            self.reply_to_a_user_with_one_device_off,
            self.user_without_a_device,
            self.switched_off,
            self.switched_on_again,
            self.announcement_to_all_who_want_it,
            self.announcement_to_chosen_people,
            self.reinstalled,
            self.token_rotated,
        ]
        for user in self.notices:
            self.backend.join(user)
        # A user with two devices, two with one, and cid with none.
        self.phone = self.backend.add_device("ann", PHONE)
        self.tablet = self.backend.add_device("ann", TABLET)
        self.backend.add_device("bob", BOBS)
        self.backend.add_device("dan", DANS)
        for scene in scenes:
            scene()
            print(f"ok  {scene.__name__}", flush=True)
        return len(scenes)

    def followed(self):
        """One push on each of a user's devices, and one notice."""
        self.expect(self.backend.follow("bob", "ann"), [PHONE, TABLET], "bob follows you", "ann")
        notice = self.backend.notices("ann")[0]
        assert notice["category"] == "follow" and notice["title"] == "Social", notice
        assert notice["deep_link"] == "social://users/bob" and not notice["is_read"], notice

    def post_by_followee(self):
        """Both devices of a follower and the inbox of one without a device; nothing is left of a topic made for it."""
        self.expect(self.backend.follow("ann", "bob"), [BOBS], "ann follows you", "bob")
        self.expect(self.backend.follow("cid", "bob"), [BOBS], "cid follows you", "bob")
        self.expect(self.backend.post("bob", 1), [PHONE, TABLET], "bob has a new post", "ann", "cid")
        topics = [topic["name"] for topic in self.stage.rest.pages("topics")]
        assert not any(name.startswith("post_") for name in topics), topics

    def comment(self):
        """A comment on somebody's post."""
        self.expect(
            self.backend.comment("bob", "ann", 2, 1), [PHONE, TABLET], "bob commented on your post", "ann"
        )

    def reply_to_a_user_with_one_device_off(self):
        """Pushes are each device's own; the notice is the user's."""
        self.backend.remove_device("ann", self.tablet)
        self.expect(self.backend.reply("bob", "ann", 3, 1), [PHONE], "bob replied to your comment", "ann")

    def user_without_a_device(self):
        """Who allowed pushes on no device has the notice all the same."""
        self.expect(self.backend.comment("ann", "cid", 4, 2), [], "ann commented on your post", "cid")

    def switched_off(self):
        """The switch in the app is over both: no push, and no notice."""
        self.backend.switch("ann", "comment", False)
        self.expect(self.backend.comment("bob", "ann", 2, 3), [], "bob commented on your post")
        self.backend.switch("ann", "follow", False)
        self.expect(self.backend.follow("dan", "ann"), [], "dan follows you")

    def switched_on_again(self):
        """What comes from now on is there; what came meanwhile is not."""
        self.backend.switch("ann", "comment", True)
        self.expect(self.backend.comment("bob", "ann", 2, 4), [PHONE], "bob commented on your post", "ann")

    def announcement_to_all_who_want_it(self):
        """All but who switched announcements off."""
        self.backend.switch("dan", "announcement", False)
        text = "Maintenance tonight"
        self.expect(self.backend.announce(1, text), [PHONE, BOBS], text, "ann", "bob", "cid")

    def announcement_to_chosen_people(self):
        """Nobody else, and of those who are chosen nobody who switched announcements off."""
        text = "You are invited"
        self.expect(self.backend.announce_to(["bob", "cid", "dan"], 2, text), [BOBS], text, "bob", "cid")
        self.backend.switch("dan", "announcement", True)
        self.expect(self.backend.announce_to(["dan"], 3, text), [DANS], text, "dan")

    def reinstalled(self):
        """The new token gets pushes and the old one's endpoint is swept away; the notices of before are there."""
        self.stage.uninstall(PHONE)
        self.phone = self.backend.add_device("ann", REINSTALLED)
        text = "bob replied to your comment"
        self.expect(self.backend.reply("bob", "ann", 3, 2), [REINSTALLED], text, "ann", gone=[PHONE])
        swept = [self.backend.sweep(), self.backend.sweep()]
        assert swept == [1, 0], swept
        self.expect(self.backend.reply("bob", "ann", 3, 3), [REINSTALLED], text, "ann")

    def token_rotated(self):
        """A new token of a device whose app knew the old one takes its place."""
        self.backend.move_device(self.phone, ROTATED)
        self.expect(self.backend.reply("bob", "ann", 3, 4), [ROTATED], "bob replied to your comment", "ann")

    def expect(self, messages, tokens, text, *users, gone=()):
        """Waits until messages are over, and looks what came of them: one push on each of these devices and on no other,
        and one new notice for each of these users and for no other.

        `gone`: tokens that Apple called gone.
        """
        self.stage.settle(messages)
        received = self.stage.received()
        accepted = collections.Counter(token for token, status, _ in received if status == 200)
        assert accepted == collections.Counter(tokens), f"{text}: {received}"
        refused = sorted((token, status) for token, status, _ in received if status != 200)
        assert refused == sorted((token, 410) for token in gone), f"{text}: {received}"
        for _, _, payload in received:
            assert payload["aps"]["alert"] == {"title": "Social", "body": text}, payload
            assert payload["deep_link"].startswith("social://"), payload
        for user in users:
            self.notices[user].insert(0, text)
        for user, texts in self.notices.items():
            found = [notice["body"] for notice in self.backend.notices(user)]
            assert found == texts, f"{text}: the notices of {user} are {found}, not {texts}"


BACKENDS = {"sns": sns_backend, "rest": rest_backend}


def main(names):
    if not set(names) <= BACKENDS.keys():
        sys.exit(__doc__)
    for name in names or BACKENDS:
        with running() as stage:
            count = Story(BACKENDS[name](stage), stage).play()
            print(f"{name}: {count} scenes as expected")


if __name__ == "__main__":
    main(sys.argv[1:])
