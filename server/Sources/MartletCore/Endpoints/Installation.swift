public import MartletWire

/// One install of an app on one device; its id is made by the SDK and dies with the install.
public struct Installation: Sendable, Hashable {
    /// The key inside the store.
    public var row: RowID<Installation>
    /// The id that the SDK made.
    public var id: PublicID
    /// The hash of the secret that it was given.
    public var secret: SecretHash
    /// The hash of the secret before, where another token took its place.
    public var previousSecret: SecretHash?
    /// Whether the secret was ever presented: until then the answer that carried it may have been lost.
    public var isSecretConfirmed: Bool

    package init(
        row: RowID<Installation>,
        id: PublicID,
        secret: SecretHash,
        previousSecret: SecretHash? = nil,
        isSecretConfirmed: Bool
    ) {
        self.row = row
        self.id = id
        self.secret = secret
        self.previousSecret = previousSecret
        self.isSecretConfirmed = isSecretConfirmed
    }
}

extension Installation {
    /// What an installation's claim comes to.
    public enum Admission: Sendable, Hashable {
        /// It is new: the issued secret is its own.
        case new
        /// It presented its secret.
        case known
        /// It presented its secret and has another token than before: it gets another secret, which a copy of the
        /// installation on another device does not have.
        case rotated
        /// It never presented its newest secret and holds the same token: the answer was lost, it gets another secret.
        case reissued
    }

    /// Decides whether a caller is the installation that it says it is.
    ///
    /// - Parameters:
    ///   - claim: what the caller says.
    ///   - existing: the installation of that id, if there is one.
    ///   - holdsToken: whether the token that is being registered is already that installation's own.
    ///   - isAnotherToken: whether the installation has another token on that platform.
    /// - Throws: ``ErrorCode/installationSecretRequired`` when it does not present the secret that it was given.
    public static func admit(
        _ claim: Registration.InstallationClaim,
        existing: Installation?,
        holdsToken: Bool,
        isAnotherToken: Bool
    ) throws(Failure) -> Admission {
        guard let existing else { return .new }
        if let presented = claim.presented, presented.matches(existing.secret) {
            return isAnotherToken ? .rotated : .known
        }
        let hasOldSecret = claim.presented.map { existing.previousSecret.map($0.matches) ?? false } ?? true
        if hasOldSecret, !existing.isSecretConfirmed, holdsToken { return .reissued }
        throw Failure(
            .installationSecretRequired,
            "This installation is registered, and its secret was not presented or is wrong.",
            hint: "Send the secret that the first registration returned in the header 'Martlet-Installation-Secret'.",
            field: "installation_id"
        )
    }
}

/// What an installation proves itself with: `mi_`, its id, `_`, and 256 random bits. The id says whose secret it is, so
/// that it is found, and found to be right, before a body is read.
package enum InstallationSecret {
    private static let prefix = "mi_"
    /// A UUID as text.
    private static let idLength = 36

    /// Makes an installation's secret.
    package static func issue(for installation: PublicID) -> Secret { Secret(prefix: "\(prefix)\(installation)_") }

    /// The installation that a secret says it is of; `nil` for what is no such secret.
    package static func owner(of text: String) -> PublicID? {
        guard text.hasPrefix(prefix) else { return nil }
        return String(text.utf8.dropFirst(prefix.utf8.count).prefix(idLength)).flatMap { PublicID($0) }
    }
}
