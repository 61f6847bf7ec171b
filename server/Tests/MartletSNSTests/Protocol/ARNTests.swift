import MartletTesting
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("An ARN")
struct ARNTests {
    private let scope = ARNScope(region: "us-east-1", account: "123456789012", action: .publish)
    private static let prefix = "arn:aws:sns:us-east-1:123456789012:"

    @Test("is printed as it was read")
    func prints() throws {
        let topic = "\(Self.prefix)wire"
        #expect(try TopicARN(topic, in: scope).description == topic)
        let subscription = "\(topic):3d2533ac-c21a-4d96-8521-e69bfffd33da"
        #expect(try SubscriptionARN(subscription, in: scope).description == subscription)
        let app = "\(Self.prefix)app/APNS_SANDBOX/com.example.app"
        #expect(try PlatformApplicationARN(app, in: scope).description == app)
        let endpoint = "\(Self.prefix)endpoint/APNS/wire/c6859393-2f26-4d65-813c-a65debc7668a"
        let read = try EndpointARN(endpoint, in: scope)
        #expect(read.description == endpoint && read.application.platform == "APNS" && read.application.name == "wire")
        #expect(try TargetARN(endpoint, in: scope) == .endpoint(read))
        #expect(try TargetARN(topic, in: scope) == .topic(TopicARN(topic, in: scope)))
        let user = "\(Self.prefix)user/shop/ann%20%2F%20%C3%A4"
        let person = try UserARN(user, parameter: "TargetArn", in: scope)
        #expect(person.description == user && person.app == "shop" && person.user == "ann / ä")
        #expect(try TargetARN(user, in: scope) == .user(person))
    }

    @Test("of a user may leave characters as they are that a URL's path would not")
    func users() throws {
        let mail = try UserARN("\(Self.prefix)user/shop/ann@example.com", parameter: "TargetArn", in: scope)
        #expect(mail.user == "ann@example.com")
        #expect(mail.description == "\(Self.prefix)user/shop/ann%40example.com")
    }

    @Test(
        "of a user is refused where it lacks a part, names another place, or is no user's id",
        arguments: [
            "\(prefix)user/shop", "\(prefix)user/shop/", "\(prefix)user//ann", "\(prefix)user/APNS/shop/ann",
            "\(prefix)user/shop/%zz", "\(prefix)user/shop/%ff", "\(prefix)user/shop/a%0Ab",
            "arn:aws:sns:eu-west-1:123456789012:user/shop/ann",
            "\(prefix)user/shop/\(String(repeating: "u", count: 257))",
        ]
    )
    func noUsers(text: String) throws {
        #expect(try refusal { _ = try TargetARN(text, in: scope) }?.code == .invalidParameter)
    }

    @Test(
        "of a topic is refused in AWS's words",
        arguments: [
            ("", "TopicArn Reason: An ARN must have at least 6 elements, not 1"),
            ("randomstring", "TopicArn Reason: An ARN must have at least 6 elements, not 1"),
            ("random:string", "TopicArn Reason: An ARN must have at least 6 elements, not 2"),
            ("arn:aws:sns:us-east-1:wire", "TopicArn Reason: An ARN must have at least 6 elements, not 5"),
            ("arn:aws:sns:eu-central-1:123456789012:wire", "TopicArn"),
            ("arn:aws:sqs:us-east-1:123456789012:wire", "TopicArn"),
            ("nra:aws:sns:us-east-1:123456789012:wire", "TopicArn"),
            ("arn:awsx:sns:us-east-1:123456789012:wire", "TopicArn"), ("\(prefix)", "TopicArn"),
            ("\(prefix)a:b", "TopicArn"),
            ("\(prefix)app/APNS/x", "TopicArn"),
        ]
    )
    func topics(text: String, words: String) throws {
        #expect(try refusal { _ = try TopicARN(text, in: scope) }?.message == "Invalid parameter: \(words)")
        #expect(try refusal { _ = try TopicARN(confirming: text, in: scope) } == .invalidParameter("Topic"))
    }

    @Test(
        "of a subscription is refused in AWS's words",
        arguments: [
            ("", "SubscriptionArn Reason: no value for required parameter"),
            ("randomstring", "SubscriptionArn Reason: An ARN must have at least 6 elements, not 1"),
            ("arn:aws:sns:us-east-1:x", "SubscriptionArn Reason: An ARN must have at least 6 elements, not 5"),
            ("\(prefix)wire", "SubscriptionId"), ("\(prefix)wire:", "SubscriptionId"),
            ("\(prefix):x", "SubscriptionId"),
            ("\(prefix)wire:x:y", "SubscriptionId"), ("\(prefix)wire:none", "SubscriptionId"),
            ("\(prefix)wire:c6859393-2f26-4d65-813c-a65debc7668", "SubscriptionId"),
            // The form comes before whose it is.
            ("arn:aws:sns:us-east-1:111111111111:random", "SubscriptionId"),
            ("arn:aws:sns:eu-west-1:123456789012:wire:c6859393-2f26-4d65-813c-a65debc76681", "SubscriptionArn"),
        ]
    )
    func subscriptions(text: String, words: String) throws {
        #expect(try refusal { _ = try SubscriptionARN(text, in: scope) }?.message == "Invalid parameter: \(words)")
    }

    @Test(
        "of an application or an endpoint is refused in AWS's words",
        arguments: [
            ("x", " Reason: An ARN must have at least 6 elements, not 1"),
            ("\(prefix)x", " Reason: Wrong number of slashes in relative portion of the ARN."),
            ("\(prefix)app/APNS", " Reason: Wrong number of slashes in relative portion of the ARN."),
            ("\(prefix)app/APNS/x/y/z", " Reason: Wrong number of slashes in relative portion of the ARN."),
            ("\(prefix)ppa/APNS/x", ""), ("\(prefix)app//x", ""), ("\(prefix)app/APNS/", ""),
            ("arn:aws:sns:eu-west-1:123456789012:app/APNS/x", ""),
        ]
    )
    func applications(text: String, words: String) throws {
        let app = try refusal { _ = try PlatformApplicationARN(text, in: scope) }
        #expect(app?.message == "Invalid parameter: PlatformApplicationArn\(words)")
        let endpoint = text.replacing("app/", with: "endpoint/").replacing("APNS/x", with: "APNS/x/id")
        let other = try refusal { _ = try EndpointARN(endpoint, in: scope) }
        #expect(other?.message.hasPrefix("Invalid parameter: EndpointArn") == true)
    }

    @Test("of an application in the place of an endpoint has too few slashes")
    func swapped() throws {
        #expect(
            try refusal { _ = try EndpointARN("\(Self.prefix)app/APNS/x", in: scope) }
                == .invalidParameter(
                    "EndpointArn",
                    reason: "Wrong number of slashes in relative portion of the ARN."
                )
        )
    }

    @Test("of another account is not ours to give")
    func accounts() throws {
        let text = "arn:aws:sns:us-east-1:111111111111:wire"
        let refusal = try refusal { _ = try TopicARN(text, in: scope) }
        #expect(refusal?.code == .authorizationError)
        #expect(
            refusal?.message
                == """
                User: arn:aws:iam::123456789012:root is not authorized to perform: SNS:Publish on resource: \(text) \
                because no resource-based policy allows the SNS:Publish action
                """
        )
    }

    @Test("of random pieces is read or refused, and what was read is printed as it came")
    func random() throws {
        var random = SeededRandom(seed: 3)
        let words = [
            "arn", "aws", "sns", "us-east-1", "123456789012", ":", ":", "/", "app", "endpoint", "APNS", "x", "é", "\n",
            "",
        ]
        for _ in 0..<20_000 {
            let start = Bool.random(using: &random) ? Self.prefix : ""
            let text = start + (0..<Int.random(in: 0..<10, using: &random)).map { _ in random.pick(words) }.joined()
            if let arn = try? TopicARN(text, in: scope) { #expect(arn.description == text) }
            if let arn = try? SubscriptionARN(text, in: scope) { #expect(arn.description == text) }
            if let arn = try? EndpointARN(text, in: scope) { #expect(arn.description == text) }
            if let arn = try? PlatformApplicationARN(text, in: scope) { #expect(arn.description == text) }
        }
    }

    @Test("of a mebibyte of colons is refused at once")
    func long() throws {
        let text = String(repeating: ":", count: 1_048_576)
        let refusal = try refusal { _ = try TopicARN(text, in: scope) }
        #expect(refusal == .invalidParameter("TopicArn"))
    }
}
