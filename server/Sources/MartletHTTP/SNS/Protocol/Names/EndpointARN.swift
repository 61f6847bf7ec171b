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

/// What `TargetArn` may name.
enum TargetARN: Hashable, Sendable {
    case topic(TopicARN)
    case endpoint(EndpointARN)

    /// Reads the name of an endpoint or of a topic.
    ///
    /// - Throws: `InvalidParameter` in AWS's words, `AuthorizationError` for another account.
    init(_ text: String, parameter: String = "TargetArn", in scope: ARNScope) throws(SNSError) {
        if try ARN(text, parameter: parameter).resource.contains("/") {
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
