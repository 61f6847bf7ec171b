"""The AWS command line publishes to a topic and to an endpoint, as shell scripts have it.

Arguments: the server's address, an access key id, its secret, a topic's ARN and an endpoint's.
"""

import json
import os
import subprocess
import sys

url, key, secret, topic, endpoint = sys.argv[1:6]
environment = dict(os.environ, AWS_ACCESS_KEY_ID=key, AWS_SECRET_ACCESS_KEY=secret, AWS_DEFAULT_REGION="us-east-1")


def aws(*arguments):
    done = subprocess.run(
        ["aws", "--endpoint-url", url, "--output", "json", "sns", *arguments],
        env=environment, capture_output=True, text=True, timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


message = json.dumps({"default": "d", "APNS": json.dumps({"aps": {"alert": "from a shell"}})})
attributes = json.dumps({"device_id": {"DataType": "String", "StringValue": "1"}})
status, output, errors = aws(
    "publish", "--topic-arn", topic, "--message-structure", "json", "--message", message,
    "--message-attributes", attributes,
)
assert status == 0 and len(json.loads(output)["MessageId"]) == 36, errors
status, output, errors = aws("publish", "--target-arn", endpoint, "--message", "hello", "--subject", "s")
assert status == 0 and len(json.loads(output)["MessageId"]) == 36, errors
status, output, errors = aws("publish", "--topic-arn", topic + "x", "--message", "m")
assert status != 0 and "(NotFound)" in errors and "Topic does not exist" in errors, errors
