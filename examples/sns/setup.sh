#!/usr/bin/env bash
# What is made once, with the AWS CLI: the topic and the platform application, from a .p12 file without a password.
#
#     setup.sh PUSH.p12
#
# Prints the two ARNs. The CLI finds the server by AWS_ENDPOINT_URL_SNS, as boto3 does.
set -euo pipefail
p12=${1:?say which .p12 file: setup.sh PUSH.p12}
aws sns create-topic --name dashboard-updates --query TopicArn --output text
aws sns create-platform-application --name dashboard-ios --platform APNS \
    --attributes "PlatformCredential=$(base64 -w 0 "$p12")" --query PlatformApplicationArn --output text
