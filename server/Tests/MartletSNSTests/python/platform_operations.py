"""Platform applications and endpoints through boto3 as it comes: python3 platform_operations.py URL KEY SECRET SIGNING_KEY

Prints what happened as one JSON object.
"""

import json

from client import arguments, client, secret, sns

(signing_key,) = arguments
seen = {}


def refusal(call, **arguments):
    """What boto3 makes of a call that is refused."""
    try:
        call(**arguments)
    except sns.exceptions.ClientError as error:
        answer = error.response
        return [type(error).__name__, answer["Error"]["Message"], answer["ResponseMetadata"]["HTTPStatusCode"]]
    return None


apple = {
    "PlatformCredential": signing_key,
    "PlatformPrincipal": "ABCD123456",
    "ApplePlatformTeamID": "TEAM123456",
    "ApplePlatformBundleID": "com.example.app",
}
application = sns.create_platform_application(Name="shop", Platform="APNS", Attributes=apple)["PlatformApplicationArn"]
seen["application"] = application
sns.set_platform_application_attributes(
    PlatformApplicationArn=application, Attributes={"SuccessFeedbackSampleRate": "50"}
)
seen["attributes"] = sns.get_platform_application_attributes(PlatformApplicationArn=application)["Attributes"]

token = "00" * 31
first = sns.create_platform_endpoint(
    PlatformApplicationArn=application, Token=token + "AB", CustomUserData="ann & <bob> \u00e9"
)["EndpointArn"]
again = sns.create_platform_endpoint(
    PlatformApplicationArn=application, Token=token + "ab", CustomUserData="ann & <bob> \u00e9"
)["EndpointArn"]
seen["is_same"] = first == again
seen["endpoint"] = first
seen["collision"] = refusal(sns.create_platform_endpoint, PlatformApplicationArn=application, Token=token + "ab")
seen["endpoint_attributes"] = sns.get_endpoint_attributes(EndpointArn=first)["Attributes"]
sns.set_endpoint_attributes(EndpointArn=first, Attributes={"Token": token + "cd", "Enabled": "false"})
seen["changed"] = sns.get_endpoint_attributes(EndpointArn=first)["Attributes"]

for number in range(101):
    sns.create_platform_endpoint(PlatformApplicationArn=application, Token="%064x" % (number + 1))
pages = sns.get_paginator("list_endpoints_by_platform_application").paginate(PlatformApplicationArn=application)
seen["pages"] = [len(page["Endpoints"]) for page in pages]
seen["applications"] = [
    item["PlatformApplicationArn"]
    for page in sns.get_paginator("list_platform_applications").paginate()
    for item in page["PlatformApplications"]
]
sns.delete_endpoint(EndpointArn=first)
sns.delete_endpoint(EndpointArn=first)
seen["gone"] = refusal(sns.get_endpoint_attributes, EndpointArn=first)
sns.delete_platform_application(PlatformApplicationArn=application)
sns.delete_platform_application(PlatformApplicationArn=application)
seen["application_gone"] = refusal(sns.get_platform_application_attributes, PlatformApplicationArn=application)
seen["empty"] = sns.list_platform_applications()["PlatformApplications"]

seen["wrong_secret"] = refusal(client(secret + "x").list_platform_applications)
print(json.dumps(seen))
