"""A backend that listens over HTTP, subscribed and confirmed through boto3.

Arguments: the server's address, an access key id and its secret.
"""

import json
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from client import refused, sns

got = queue.Queue()


class Listener(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.send_response(200)
        self.end_headers()
        got.put((self.headers["x-amz-sns-message-type"], body))

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Listener)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_address[1]}/sns"


def envelope(kind):
    got_kind, body = got.get(timeout=240)
    assert got_kind == kind, (got_kind, body)
    return json.loads(body)


topic = sns.create_topic(Name="line.fifo", Attributes={"FifoTopic": "true"})["TopicArn"]
# The client that got no answer asks once more; the address follows what it was sent first.
confirmations = []
for _ in range(2):
    assert sns.subscribe(TopicArn=topic, Protocol="http", Endpoint=address)["SubscriptionArn"] == "pending confirmation"
    confirmations.append(envelope("SubscriptionConfirmation"))
assert confirmations[0]["Token"] != confirmations[1]["Token"]
assert refused("InvalidParameter", sns.confirm_subscription, TopicArn=topic, Token="wrong") == "Invalid token"
first = confirmations[0]
for _ in range(2):
    arn = sns.confirm_subscription(
        TopicArn=first["TopicArn"], Token=first["Token"], AuthenticateOnUnsubscribe="true"
    )["SubscriptionArn"]
assert arn.startswith(topic + ":"), arn
attributes = sns.get_subscription_attributes(SubscriptionArn=arn)["Attributes"]
assert attributes["PendingConfirmation"] == "false" and attributes["ConfirmationWasAuthenticated"] == "true", attributes
assert sns.subscribe(TopicArn=topic, Protocol="http", Endpoint=address)["SubscriptionArn"] == arn

published = sns.publish(TopicArn=topic, Message="hello", MessageGroupId="g", MessageDeduplicationId="1")
message = envelope("Notification")
assert message["Message"] == "hello" and message["MessageId"] == published["MessageId"], message
assert message["SequenceNumber"] == published["SequenceNumber"], message

sns.set_subscription_attributes(SubscriptionArn=arn, AttributeName="RawMessageDelivery", AttributeValue="true")
sns.publish(TopicArn=topic, Message="raw", MessageGroupId="g", MessageDeduplicationId="2")
assert got.get(timeout=240) == ("Notification", "raw")

sns.unsubscribe(SubscriptionArn=arn)
unsubscribed = envelope("UnsubscribeConfirmation")
refused("NotFound", sns.get_subscription_attributes, SubscriptionArn=arn)
assert sns.confirm_subscription(TopicArn=topic, Token=unsubscribed["Token"])["SubscriptionArn"] == arn
assert sns.get_subscription_attributes(SubscriptionArn=arn)["Attributes"]["RawMessageDelivery"] == "true"
