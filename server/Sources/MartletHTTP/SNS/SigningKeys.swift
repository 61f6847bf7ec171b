import MartletCore
import Synchronization

/// The keys derived from secrets, one for each access key, day and region that sign now.
final class SigningKeys: Sendable {
    private struct Name: Hashable {
        var row: RowID<StoredAccessKey>
        var day: String
        var region: String
    }

    /// How many are kept; one more, and it begins anew. Ours: a few hundred bytes each, and deriving one costs little.
    private static let limit = 256

    private let known = Mutex<[Name: SigningKey]>([:])

    /// The key of an access key that is in force.
    ///
    /// - Throws: `Failure` when its secret was sealed with another encryption key.
    func key(of access: StoredAccessKey, scope: CredentialScope, vault: Vault) throws(Failure) -> SigningKey {
        let name = Name(row: access.row, day: scope.day, region: scope.region)
        if let key = known.withLock({ $0[name] }) { return key }
        let secret = try vault.open(access.sealed, for: StoredAccessKey.purpose(of: access.id))
        let key = SigningKey(secret: String(decoding: secret, as: UTF8.self), scope: scope)
        known.withLock { known in
            if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
            known[name] = key
        }
        return key
    }
}
