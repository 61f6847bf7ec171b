import Foundation
import MartletCore

/// An Amazon resource name: `arn:PARTITION:sns:REGION:ACCOUNT:RESOURCE`.
struct ARN: Hashable, Sendable {
    let partition: String
    let service: String
    let region: String
    let account: String
    /// Everything behind the fifth colon, colons included.
    let resource: String

    /// Reads a name, whatever it names.
    ///
    /// - Parameter parameter: the parameter that the text comes from, for the refusal.
    /// - Throws: `InvalidParameter` when a part is missing or the text begins otherwise.
    init(_ text: String, parameter: String) throws(SNSError) {
        let parts = text.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 6 else {
            throw .invalidParameter(parameter, reason: "An ARN must have at least 6 elements, not \(parts.count)")
        }
        guard parts[0] == "arn" else { throw .invalidParameter(parameter) }
        partition = String(parts[1])
        service = String(parts[2])
        region = String(parts[3])
        account = String(parts[4])
        resource = String(parts[5])
    }

    /// The text of a name of ours. In all regions but those of China and of the US government it begins with
    /// `arn:aws:sns`: AWS's own sample code looks for that.
    static func text(region: String, account: String, resource: String) -> String {
        "arn:\(partition(of: region)):sns:\(region):\(account):\(resource)"
    }

    /// The text of somebody's name, such as `user/backend`.
    static func principal(_ name: String, region: String, account: String) -> String {
        "arn:\(partition(of: region)):iam::\(account):\(name)"
    }

    /// The partition that a region is in (AWS, Amazon Resource Names).
    static func partition(of region: String) -> String {
        if region.hasPrefix("cn-") { return "aws-cn" }
        return region.hasPrefix("us-gov-") ? "aws-us-gov" : "aws"
    }
}

/// What a name in a request may be of: the region that the request was signed for, and the account of the server.
struct ARNScope: Hashable, Sendable {
    /// The region of the credential scope.
    let region: String
    /// 12 digits.
    let account: String
    /// The operation, for the words of a refusal.
    let action: SNSAction
    /// Who asks, for the words of a refusal.
    var user: String { ARN.principal("root", region: region, account: account) }

    /// Looks at a name before what it names is looked for.
    ///
    /// - Throws: `InvalidParameter` for another service or another region, `AuthorizationError` for another account.
    func check(_ arn: ARN, _ text: String, parameter: String) throws(SNSError) {
        guard arn.region == region, arn.partition == ARN.partition(of: region), arn.service == "sns" else {
            throw .invalidParameter(parameter)
        }
        guard arn.account == account else {
            throw .notAuthorized(user: user, action: action.rawValue, resource: text)
        }
    }
}

/// The name of a topic: `arn:aws:sns:REGION:ACCOUNT:NAME`.
struct TopicARN: Hashable, Sendable, CustomStringConvertible {
    let region: String
    let account: String
    let name: String

    /// A topic of ours.
    init(region: String, account: String, name: String) {
        self.region = region
        self.account = account
        self.name = name
    }

    /// Reads a topic's name in a request. Whether there is such a topic is not checked here.
    ///
    /// - Parameter parameter: the parameter that the text comes from.
    /// - Throws: `InvalidParameter` in AWS's words, `AuthorizationError` for another account.
    init(_ text: String, parameter: String = "TopicArn", in scope: ARNScope) throws(SNSError) {
        let arn = try ARN(text, parameter: parameter)
        try scope.check(arn, text, parameter: parameter)
        guard Self.isResource(arn.resource) else { throw .invalidParameter(parameter) }
        self.init(region: arn.region, account: arn.account, name: arn.resource)
    }

    /// Reads the topic's name of a confirmation, of which AWS only says `Invalid parameter: Topic`.
    ///
    /// - Throws: `InvalidParameter`.
    init(confirming text: String, in scope: ARNScope) throws(SNSError) {
        guard let topic = try? TopicARN(text, in: scope) else { throw .invalidParameter("Topic") }
        self = topic
    }

    /// The text of the name.
    var description: String { ARN.text(region: region, account: account, resource: name) }

    private static func isResource(_ resource: String) -> Bool {
        !resource.isEmpty && !resource.utf8.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
    }
}

/// The name of a subscription: its topic's, a colon and an id of its own.
struct SubscriptionARN: Hashable, Sendable, CustomStringConvertible {
    let topic: TopicARN
    let id: String

    /// A subscription of ours.
    init(topic: TopicARN, id: String) {
        self.topic = topic
        self.id = id
    }

    /// Reads a subscription's name in a request. Whether there is such a subscription is not checked here.
    ///
    /// - Throws: `InvalidParameter` in AWS's words, `AuthorizationError` for another account.
    init(_ text: String, parameter: String = "SubscriptionArn", in scope: ARNScope) throws(SNSError) {
        guard !text.isEmpty else { throw .invalidParameter(parameter, reason: "no value for required parameter") }
        let arn = try ARN(text, parameter: parameter)
        let parts = arn.resource.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, UUID(uuidString: String(parts[1])) != nil else {
            // A topic's name, for example. AWS looks at this before it looks whose it is.
            throw .invalidParameter("SubscriptionId")
        }
        try scope.check(arn, text, parameter: parameter)
        self.init(
            topic: TopicARN(region: arn.region, account: arn.account, name: String(parts[0])),
            id: String(parts[1])
        )
    }

    /// The text of the name.
    var description: String { "\(topic):\(id)" }
}

/// The name of a platform application: `arn:aws:sns:REGION:ACCOUNT:app/PLATFORM/NAME`.
struct PlatformApplicationARN: Hashable, Sendable, CustomStringConvertible {
    let region: String
    let account: String
    /// `APNS`, `APNS_SANDBOX`, `GCM`…
    let platform: String
    let name: String

    /// An application of ours.
    init(region: String, account: String, platform: String, name: String) {
        self.region = region
        self.account = account
        self.platform = platform
        self.name = name
    }

    /// Reads an application's name in a request. Whether there is such an application is not checked here.
    ///
    /// - Throws: `InvalidParameter` in AWS's words, `AuthorizationError` for another account.
    init(_ text: String, parameter: String = "PlatformApplicationArn", in scope: ARNScope) throws(SNSError) {
        let (arn, parts) = try scope.relative(text, parameter: parameter, first: "app", slashes: 2)
        self.init(region: arn.region, account: arn.account, platform: parts[1], name: parts[2])
    }

    /// The text of the name.
    var description: String { ARN.text(region: region, account: account, resource: "app/\(platform)/\(name)") }
}

/// The name of an endpoint: `arn:aws:sns:REGION:ACCOUNT:endpoint/PLATFORM/NAME/ID`.
struct EndpointARN: Hashable, Sendable, CustomStringConvertible {
    let application: PlatformApplicationARN
    let id: String

    /// An endpoint of ours.
    init(application: PlatformApplicationARN, id: String) {
        self.application = application
        self.id = id
    }

    /// Reads an endpoint's name in a request. Whether there is such an endpoint is not checked here.
    ///
    /// - Throws: `InvalidParameter` in AWS's words, `AuthorizationError` for another account.
    init(_ text: String, parameter: String = "EndpointArn", in scope: ARNScope) throws(SNSError) {
        let (arn, parts) = try scope.relative(text, parameter: parameter, first: "endpoint", slashes: 3)
        application = PlatformApplicationARN(
            region: arn.region,
            account: arn.account,
            platform: parts[1],
            name: parts[2]
        )
        id = parts[3]
    }

    /// The text of the name.
    var description: String {
        let resource = "endpoint/\(application.platform)/\(application.name)/\(id)"
        return ARN.text(region: application.region, account: application.account, resource: resource)
    }
}

/// The name of a user, which Amazon SNS has not: `arn:aws:sns:REGION:ACCOUNT:user/APP/USER`, with the app's name and the
/// customer's own id for the person, escaped as in a URL's path.
struct UserARN: Hashable, Sendable, CustomStringConvertible {
    let region: String
    let account: String
    let app: String
    let user: String

    /// Reads a user's name in a request. Whether there is such an app is not checked here.
    ///
    /// - Throws: `InvalidParameter`, `AuthorizationError` for another account.
    init(_ text: String, parameter: String, in scope: ARNScope) throws(SNSError) {
        let (arn, parts) = try scope.relative(text, parameter: parameter, first: "user", slashes: 2)
        guard let app = Self.unescaped(parts[1]), let user = Self.unescaped(parts[2]),
            (try? User.validate(id: user, field: parameter)) != nil
        else { throw .invalidParameter(parameter) }
        (region, account) = (arn.region, arn.account)
        (self.app, self.user) = (app, user)
    }

    private static func unescaped(_ part: String) -> String? {
        FormDecoding.decoded(Array(part.utf8)[...], plusIsSpace: false).flatMap {
            String(validating: $0, as: UTF8.self)
        }
    }

    /// The text of the name.
    var description: String {
        let resource = "user/\(SignedQuery.escaped(app.utf8))/\(SignedQuery.escaped(user.utf8))"
        return ARN.text(region: region, account: account, resource: resource)
    }
}

/// What `TargetArn` may name.
enum TargetARN: Hashable, Sendable {
    case topic(TopicARN)
    case endpoint(EndpointARN)
    case user(UserARN)

    /// Reads the name of an endpoint, of a user or of a topic.
    ///
    /// - Throws: `InvalidParameter` in AWS's words, `AuthorizationError` for another account.
    init(_ text: String, parameter: String = "TargetArn", in scope: ARNScope) throws(SNSError) {
        let resource = try ARN(text, parameter: parameter).resource
        if resource.hasPrefix("user/") {
            self = .user(try UserARN(text, parameter: parameter, in: scope))
        } else if resource.contains("/") {
            self = .endpoint(try EndpointARN(text, parameter: parameter, in: scope))
        } else {
            self = .topic(try TopicARN(text, parameter: parameter, in: scope))
        }
    }
}

extension ARNScope {
    /// A name whose resource has parts with slashes between.
    fileprivate func relative(
        _ text: String,
        parameter: String,
        first: String,
        slashes: Int
    ) throws(SNSError) -> (ARN, [String]) {
        let arn = try ARN(text, parameter: parameter)
        let parts = arn.resource.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == slashes + 1 else {
            throw .invalidParameter(parameter, reason: "Wrong number of slashes in relative portion of the ARN.")
        }
        guard parts[0] == first, !parts.contains("") else { throw .invalidParameter(parameter) }
        try check(arn, text, parameter: parameter)
        return (arn, parts)
    }
}
