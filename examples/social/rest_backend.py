"""The notices of a social app over Martlet's REST interface, with what Python brings along.

The backend keeps nothing of its users' devices, switches and notices: it says whom to tell what, and of which kind that is.
"""

from rest import quoted


class Backend:
    """What the app does, as functions; those that publish return the ids of their notifications."""

    APP = "social-rest"

    def __init__(self, rest):
        self.rest = rest

    # Devices

    def add_device(self, user, token):
        """The app was started for the first time and its user allowed pushes. The SDK makes such a call itself."""
        device = {"app": self.APP, "user_id": user, "token": token, "environment": "production"}
        return self.rest("POST", "devices", device)["id"]

    def move_device(self, device, token):
        """The device has a new token, and its app knew the old one."""
        known = self.rest("GET", f"devices/{device}", app=self.APP)
        body = {
            "app": self.APP,
            "user_id": known["user_id"],
            "token": token,
            "previous_token": known["device_token"],
            "environment": "production",
        }
        self.rest("POST", "devices", body)

    def remove_device(self, user, device):
        """The user does not want pushes on this device any more."""
        self.rest("PATCH", f"devices/{device}", {"is_active": False}, app=self.APP)

    def sweep(self):
        """The batch job: deletes the devices that Apple called gone, such as those from before a re-install. Nothing is sent
        to them without it, and the server forgets them itself after a time."""
        devices = self.rest.pages("devices", app=self.APP)
        gone = [
            device["id"]
            for device in devices
            if not device["is_active"] and device.get("inactive_reason") != "device_off"
        ]
        for device in gone:
            self.rest("DELETE", f"devices/{device}", app=self.APP)
        return len(gone)

    # What happens in the app

    def follow(self, user, author):
        """Somebody follows an author, who is told: once, however often the button is pressed. From now on they get what is
        sent to the author's followers, on whichever devices they have then."""
        topic = self._followers(author)
        self.rest("POST", f"topics/{topic}/subscriptions", {"app": self.APP, "user_id": user}, app=self.APP)
        key = f"follow:{user}:{author}"
        return self._tell({"users": [author]}, "follow", key, f"{user} follows you", f"social://users/{user}")

    def post(self, author, post):
        """An author has posted: one notification to the followers, in a topic that lasts."""
        audience = {"topic": self._followers(author)}
        return self._tell(audience, "post", f"post:{post}", f"{author} has a new post", f"social://posts/{post}")

    def comment(self, user, author, post, number):
        """Somebody comments on an author's post."""
        text = f"{user} commented on your post"
        return self._tell({"users": [author]}, "comment", f"comment:{number}", text, f"social://posts/{post}")

    def reply(self, user, commenter, post, number):
        """Somebody replies to a comment."""
        text = f"{user} replied to your comment"
        return self._tell({"users": [commenter]}, "reply", f"reply:{number}", text, f"social://posts/{post}")

    # The admin page

    def announce(self, number, text):
        """An announcement to all who want it."""
        # Everybody's items are one row of the database; a key would make them one each.
        request = self._notification({"all": True}, "announcement", text, f"social://announcements/{number}")
        return [self.rest("POST", "notifications", request)["id"]]

    def announce_to(self, users, number, text):
        """An announcement to chosen people."""
        key, link = f"announcement:{number}", f"social://announcements/{number}"
        return self._tell({"users": users}, "announcement", key, text, link)

    # The settings screen and the list of notices

    def join(self, user):
        """A new user, whom the server knows from now on, also without a device: announcements are on."""
        self.switch(user, "announcement", True)

    def switch(self, user, category, is_on):
        """Switches a kind of notice for a user, on all of their devices: neither push nor notice when it is off."""
        change = {"categories": {category: {"enabled": is_on}}}
        self.rest("PATCH", f"users/{quoted(user)}/preferences", change, app=self.APP)

    def notices(self, user):
        """What a user can read later, newest first."""
        return list(self.rest.pages(f"users/{quoted(user)}/inbox", app=self.APP))

    # What they have in common

    def _followers(self, author):
        """The topic of an author's followers, which is made where there is none."""
        name = f"followers-{author}"
        self.rest("POST", "topics", {"app": self.APP, "name": name})
        return name

    def _tell(self, audience, category, key, text, link):
        request = self._notification(audience, category, text, link)
        request["dedup"] = {"key": key}
        return [self.rest("POST", "notifications", request)["id"]]

    def _notification(self, audience, category, text, link):
        return {
            "app": self.APP,
            "audience": audience,
            "category": category,
            "inbox": True,
            "title": "Social",
            "body": text,
            "sound": "default",
            "deep_link": link,
        }
