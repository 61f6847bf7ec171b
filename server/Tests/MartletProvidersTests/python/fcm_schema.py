"""Validates requests against the schema of FCM that google-api-python-client brings: python3 fcm_schema.py FILE.

The file is a JSON list of requests. Prints the schema's revision and how many requests were valid.
"""

import importlib.resources
import json
import re
import sys

from jsonschema import Draft202012Validator

cache = importlib.resources.files("googleapiclient") / "discovery_cache" / "documents" / "fcm.v1.json"
discovery = json.loads(cache.read_text())


def snake(name):
    """The proto's name of a member, which the API takes beside the JSON name."""
    return re.sub(r"[A-Z]", lambda found: "_" + found.group().lower(), name)


def converted(schema):
    """A discovery schema as JSON Schema: every member that it does not have is refused."""
    if "$ref" in schema:
        return {"$ref": "#/$defs/" + schema["$ref"]}
    kind = schema["type"]
    if kind == "any":
        return {}
    if kind == "array":
        return {"type": "array", "items": converted(schema["items"])}
    if kind == "object":
        members = {name: converted(member) for name, member in schema.get("properties", {}).items()}
        members |= {snake(name): member for name, member in members.items()}
        others = converted(schema["additionalProperties"]) if "additionalProperties" in schema else False
        return {"type": "object", "properties": members, "additionalProperties": others}
    result = {"type": kind}
    if "enum" in schema:
        result["enum"] = schema["enum"]
    if schema.get("format") == "google-duration":
        result["pattern"] = r"^\d+(\.\d{1,9})?s$"
    return result


schema = {
    "$ref": "#/$defs/SendMessageRequest",
    "$defs": {name: converted(definition) for name, definition in discovery["schemas"].items()},
}
validator = Draft202012Validator(schema)
with open(sys.argv[1]) as file:
    requests = json.load(file)
for number, request in enumerate(requests):
    for error in validator.iter_errors(request):
        sys.exit(f"request {number}: {error.json_path}: {error.message}")
    for wrong in ({**request, "surprise": 1}, {"message": {**request["message"], "priority": "HIGH"}}):
        assert not validator.is_valid(wrong), "the schema takes anything"
print(discovery["revision"], len(requests))
