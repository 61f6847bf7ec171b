import MartletCore
import MartletWire

/// What an installation proves itself with: `mi_`, its id, `_`, and 256 random bits. The id says whose secret it is, so
/// that it is found, and found to be right, before a body is read.
enum InstallationSecret {
    private static let prefix = "mi_"
    /// A UUID as text.
    private static let idLength = 36

    /// Makes an installation's secret.
    static func issue(for installation: PublicID) -> Secret { Secret(prefix: "\(prefix)\(installation)_") }

    /// The installation that a secret says it is of; `nil` for what is no such secret.
    static func owner(of text: String) -> PublicID? {
        guard text.hasPrefix(prefix) else { return nil }
        return String(text.utf8.dropFirst(prefix.utf8.count).prefix(idLength)).flatMap { PublicID($0) }
    }
}
