import Crypto
import MartletCore

/// What may share connections: the same secret at the same address, whichever app it belongs to. APNs allows one team
/// on a connection.
struct APNsRouteKey: Sendable, Hashable {
    let address: APNsAddress
    /// SHA-256 of the secret, so that a wrong key with the same id does not share.
    let secret: SecretHash
    let keyID: String?
    let teamID: String?
    let trust: String?
    /// Apart, because private addresses are open to one and not to the other.
    let isURLOfOthers: Bool

    /// The key of an opened credential.
    ///
    /// - Throws: `Failure` when its address is none.
    init(_ opened: OpenedCredential) throws(Failure) {
        let credential = opened.credential
        address = try APNsAddress(credential)
        secret = SecretHash(bytes: Array(SHA256.hash(data: opened.secret)))
        keyID = credential.summary.keyID
        teamID = credential.summary.teamID
        trust = credential.trust
        isURLOfOthers = credential.isURLOfOthers
    }
}
