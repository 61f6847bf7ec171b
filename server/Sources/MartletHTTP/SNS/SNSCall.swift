import MartletCore
import MartletWire

/// One call of the SNS interface whose signature was checked, on its way through an operation.
struct SNSCall: Sendable {
    /// What it takes.
    let form: FormParameters
    /// The operation, with the region that its signature names and the account: what ARNs are checked against.
    let scope: ARNScope
    /// Who makes it; `nil` for what needs no signature.
    let caller: StoredAccessKey?
    /// The address at which the caller reached this server, without a path.
    let origin: String

    var action: SNSAction { scope.action }
    var region: String { scope.region }
    var account: String { scope.account }
}

/// What an operation's result holds; `nil` for operations whose model has none.
typealias SNSResult = @Sendable (inout XMLWriter) -> Void

extension SNSError {
    /// A refusal of the domain in the words of this interface, for what an operation did not tell apart itself.
    init(_ failure: Failure) {
        switch failure.code {
        case .overloaded: self = .throttling
        case .notFound: self = .resourceNotFound
        case .internalError: self = .internalFailure
        default: self = .invalidParameter(failure.detail.field ?? "Request", reason: failure.detail.message)
        }
    }
}
