import Testing

/// Calls of boto3 1.43 and the AWS command line, captured on loopback.
struct CapturedCall: Sendable, CustomTestStringConvertible {
    /// What AWS's documentation gives as an example of a key.
    static let keyID = "AKIAIOSFODNN7EXAMPLE"
    static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    static let host = "127.0.0.1:5114"
    static let contentType = "application/x-www-form-urlencoded; charset=utf-8"

    let date: String
    let signature: String
    let body: String
    /// What it was signed with.
    var secret = CapturedCall.secret

    var testDescription: String { String(body.prefix { $0 != "&" }) }

    static let all = [
        CapturedCall(
            date: "20261121T091408Z",
            signature: "5741a986106950840bdcc18404f8c03daf5d69ce98f45e48ad3f7e4844c85d8f",
            body: """
                Action=CreateTopic&Version=2010-03-31&Name=wire&Attributes.entry.1.key=DisplayName&Attri\
                butes.entry.1.value=A+%26+B&Tags.member.1.Key=k&Tags.member.1.Value=v
                """
        ),
        CapturedCall(
            date: "20261121T091408Z",
            signature: "af67a99d9e084d08eb746d81c7ced1d84846984ec43429c8eeae1dff02dece52",
            body: """
                Action=CreatePlatformApplication&Version=2010-03-31&Name=wire&Platform=APNS&Attributes.e\
                ntry.1.key=PlatformCredential&Attributes.entry.1.value=c&Attributes.entry.2.key=Platform\
                Principal&Attributes.entry.2.value=p
                """
        ),
        CapturedCall(
            date: "20261121T091408Z",
            signature: "6ca411038ba363a5929827d57a2842d3863f74b19941d81b4e02a9667a6490c4",
            body: """
                Action=CreatePlatformEndpoint&Version=2010-03-31&PlatformApplicationArn=arn%3Aaws%3Asns%\
                3Aus-east-1%3A123456789012%3Aapp%2FAPNS%2Fwire&Token=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaa&CustomUserData=u
                """
        ),
        CapturedCall(
            date: "20261121T091408Z",
            signature: "9720bb81fed202238eb0df4197f9ccea63cdc523413811235d635b9bfe6751cc",
            body: """
                Action=Subscribe&Version=2010-03-31&TopicArn=arn%3Aaws%3Asns%3Aus-east-1%3A123456789012%\
                3Awire&Protocol=application&Endpoint=arn%3Aaws%3Asns%3Aus-east-1%3A123456789012%3Aendpoi\
                nt%2FAPNS%2Fwire%2Fc6859393-2f26-4d65-813c-a65debc7668a&ReturnSubscriptionArn=true&Attri\
                butes.entry.1.key=FilterPolicy&Attributes.entry.1.value=%7B%22a%22%3A%5B%22b%22%5D%7D
                """
        ),
        CapturedCall(
            date: "20261121T091408Z",
            signature: "9054ca4109aa5680eda27af9589c10aa490a5924a74b4f7ad4e73223d4a60a47",
            body: """
                Action=Publish&Version=2010-03-31&TopicArn=arn%3Aaws%3Asns%3Aus-east-1%3A123456789012%3A\
                wire&Message=%7B%22default%22%3A+%22d%22%2C+%22APNS%22%3A+%22%7B%5C%22aps%5C%22%3A%7B%5C\
                %22alert%5C%22%3A%5C%22%5Cu00e9%5C%22%7D%7D%22%7D&MessageStructure=json&MessageAttribute\
                s.entry.1.Name=AWS.SNS.MOBILE.APNS.TTL&MessageAttributes.entry.1.Value.DataType=String&M\
                essageAttributes.entry.1.Value.StringValue=60&MessageAttributes.entry.2.Name=bin&Message\
                Attributes.entry.2.Value.DataType=Binary&MessageAttributes.entry.2.Value.BinaryValue=AAE\
                %3D
                """
        ),
        CapturedCall(
            date: "20261121T091408Z",
            signature: "da9513b63c53de27073f3e7fc5ef645738464ca6a01eb9b6cbd15a5269304ee0",
            body: """
                Action=PublishBatch&Version=2010-03-31&TopicArn=arn%3Aaws%3Asns%3Aus-east-1%3A1234567890\
                12%3Awire&PublishBatchRequestEntries.member.1.Id=1&PublishBatchRequestEntries.member.1.M\
                essage=m&PublishBatchRequestEntries.member.1.MessageAttributes.entry.1.Name=x&PublishBat\
                chRequestEntries.member.1.MessageAttributes.entry.1.Value.DataType=Number&PublishBatchRe\
                questEntries.member.1.MessageAttributes.entry.1.Value.StringValue=1&PublishBatchRequestE\
                ntries.member.2.Id=2&PublishBatchRequestEntries.member.2.Message=n&PublishBatchRequestEn\
                tries.member.2.Subject=s
                """
        ),
        CapturedCall(
            date: "20261121T091408Z",
            signature: "b55c8e9ba6eb8f30dd35dbf46120c3b7852cc73ba5626fa7ef19513c9c9a3d72",
            body: """
                Action=ListEndpointsByPlatformApplication&Version=2010-03-31&PlatformApplicationArn=arn%\
                3Aaws%3Asns%3Aus-east-1%3A123456789012%3Aapp%2FAPNS%2Fwire
                """
        ),
        CapturedCall(
            date: "20261121T091408Z",
            signature: "55a2cf19f0cd2a18de77d68abc12dc9d1abd59d9b2167286ea7d092c6d4626fd",
            body: """
                Action=ListTagsForResource&Version=2010-03-31&ResourceArn=arn%3Aaws%3Asns%3Aus-east-1%3A\
                123456789012%3Awire
                """
        ),
        CapturedCall(
            date: "20261121T091408Z",
            signature: "40d6efd2a1a25495bc6b599904dfff33fc89d81a1b0896a2f1139c28fab829f1",
            body: """
                Action=UntagResource&Version=2010-03-31&ResourceArn=arn%3Aaws%3Asns%3Aus-east-1%3A123456\
                789012%3Awire&TagKeys.member.1=k
                """
        ),
        CapturedCall(
            date: "20261121T091408Z",
            signature: "6922b37353da513a45ce616b45222f02e9d4781d136f678f0d8fe6957060c670",
            body: """
                Action=GetTopicAttributes&Version=2010-03-31&TopicArn=arn%3Aaws%3Asns%3Aus-east-1%3A1234\
                56789012%3Awire
                """
        ),
        CapturedCall(
            date: "20261121T091408Z",
            signature: "addd251c1ffbd0895398dd2f289734c93288a47c33bade201544ea9ac89bde35",
            body: """
                Action=Publish&Version=2010-03-31&TopicArn=arn%3Aaws%3Asns%3Aus-east-1%3A123456789012%3A\
                wirex&Message=m
                """
        ),
        CapturedCall(
            date: "20261121T091408Z",
            signature: "c01c24e2cf1245fcb66429f947e8233bfb769eb9fe7c8dfb814974941d82a678",
            body: """
                Action=DeleteTopic&Version=2010-03-31&TopicArn=arn%3Aaws%3Asns%3Aus-east-1%3A12345678901\
                2%3Awire
                """
        ),
        CapturedCall(
            date: "20261121T091408Z",
            signature: "95b06821c7578f1ee2f1de073ebabf0665aaa96a68be0fa6a743b2bb759ed64c",
            body: """
                Action=DeletePlatformApplication&Version=2010-03-31&PlatformApplicationArn=arn%3Aaws%3As\
                ns%3Aus-east-1%3A123456789012%3Aapp%2FAPNS%2Fwire
                """
        ),
        CapturedCall(
            date: "20261121T091408Z",
            signature: "573711b70d20d650d6f61d00846ec607c97f8ccee3c34e88c4d476c0c595e387",
            body: """
                Action=ListTopics&Version=2010-03-31
                """
        ),
        CapturedCall(
            date: "20261121T091409Z",
            signature: "3ca6b23a3f80ecf055b5303e876a2a201d24ff24856662c8fc5815dd4fdedad0",
            body: """
                Action=CreatePlatformApplication&Version=2010-03-31&Name=wire2&Platform=APNS&Attributes.\
                entry.1.key=PlatformCredential&Attributes.entry.1.value=c&Attributes.entry.2.key=Platfor\
                mPrincipal&Attributes.entry.2.value=p
                """,
            secret: "x"
        ),
    ]
}
