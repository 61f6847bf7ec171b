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
