/// An endpoint on its way into the store, as the SNS interface makes it: its caller's word is enough.
public struct PlatformEndpointDraft: Sendable, Hashable {
    /// The token; the ``Registrar`` normalizes it.
    public var token: String
    /// What the caller keeps with it.
    public var customUserData: String?
    /// Whether pushes are made to it.
    public var isEnabled: Bool
    /// Who it belongs to: of a new one ``Registration/Owner/unchanged`` makes it anonymous.
    public var owner: Registration.Owner

    package init(
        token: String,
        customUserData: String? = nil,
        isEnabled: Bool = true,
        owner: Registration.Owner = .unchanged
    ) {
        self.token = token
        self.customUserData = customUserData
        self.isEnabled = isEnabled
        self.owner = owner
    }
}

/// What asking for an endpoint of a platform application came to.
public enum PlatformEndpointCreation: Sendable, Hashable {
    /// It is new.
    case created(Endpoint)
    /// There was one like it.
    case same(Endpoint)
    /// The token has an endpoint with other attributes, which stays as it is.
    case differs(Endpoint)
}

extension Endpoint {
    /// Whether an endpoint is what a draft asks for.
    public func matches(_ draft: PlatformEndpointDraft) -> Bool {
        customUserData == draft.customUserData && isEnabled == draft.isEnabled
    }
}
