"""Generates a client from a running server's document, then sends, lists and reads with it.

Arguments: the server's address, an admin key, a folder of its own.
"""
import subprocess
import sys

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

address, key, folder = sys.argv[1:]
made = subprocess.run(
    [
        sys.executable, "-m", "openapi_python_client", "generate", "--url", address + "/openapi.json",
        "--meta", "none", "--output-path", folder + "/client",
    ],
    capture_output=True, text=True, timeout=120,
)
said = made.stdout + made.stderr
assert made.returncode == 0, said
# It leaves out what it cannot read and goes on.
for words in ["parsing", "omitted", "not be generated", "Unable to process"]:
    assert words not in said, said
sys.path.insert(0, folder)

from client import AuthenticatedClient  # noqa: E402
from client import models  # noqa: E402
from client.api.apps import post_apps, put_apps_app_credentials  # noqa: E402
from client.api.devices import get_devices, post_devices  # noqa: E402
from client.api.notifications import (  # noqa: E402
    get_notifications, get_notifications_id, get_notifications_id_deliveries, post_notifications,
)

server = AuthenticatedClient(base_url=address, token=key, raise_on_unexpected_status=True)
name = "com.example.app"
assert post_apps.sync(client=server, body=models.AppRequest(name=name)).data.name == name
secret = ec.generate_private_key(ec.SECP256R1()).private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
)
credential = models.CredentialRequest(
    platform=models.CredentialRequestPlatform.APNS, p8=secret.decode(), key_id="ABCD123456", team_id="TEAM123456",
    bundle_id=name, url="https://127.0.0.1:9",
)
assert put_apps_app_credentials.sync(name, client=server, body=credential).data[0].key_id == "ABCD123456"
device = models.DeviceRequest(app=name, user_id="ann", token="ab" * 32)
assert post_devices.sync(client=server, body=device).data.user_id == "ann"
assert [one.user_id for one in get_devices.sync(client=server, app=name, user_id="ann").data] == ["ann"]
sent = []
for priority in [models.NotificationRequestPriorityType0.VALUE_10, models.NotificationRequestPriorityType1.HIGH]:
    request = models.NotificationRequest(
        app=name, audience=models.AudienceRequest(users=["ann"]), title="Hello", priority=priority
    )
    sent.append(post_notifications.sync(client=server, body=request, idempotency_key=str(priority)).data.id)
listed = get_notifications.sync(client=server, app=name, limit=10).data
assert [one.id for one in listed] == sent[::-1], listed
one = get_notifications_id.sync(sent[0], client=server).data
assert (one.title, one.audience.count) == ("Hello", 1), one
assert [each.user_id for each in get_notifications_id_deliveries.sync(sent[0], client=server).data] == ["ann"]
refused = post_notifications.sync(
    client=server, body=models.NotificationRequest(app=name, audience=models.AudienceRequest(), title="Hello")
)
assert isinstance(refused, models.Error) and refused.error.field == "audience", refused
