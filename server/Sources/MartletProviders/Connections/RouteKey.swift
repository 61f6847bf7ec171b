import Crypto
import MartletCore

/// What may share connections: the same secret at the same address, whichever app it belongs to.
struct RouteKey: Sendable, Hashable {
    let address: ServerAddress
    /// SHA-256 of the secret, so that a wrong key with the same id does not share.
    let secret: SecretHash
    let keyID: String?
    let teamID: String?
    let trust: String?
    /// Apart, because private addresses are open to one and not to the other.
    let isURLOfOthers: Bool

    /// The key of an opened credential whose pushes go to this address.
    init(_ opened: OpenedCredential, at address: ServerAddress) {
        let credential = opened.credential
        self.address = address
        secret = SecretHash(bytes: Array(SHA256.hash(data: opened.secret)))
        keyID = credential.summary.keyID
        teamID = credential.summary.teamID
        trust = credential.trust
        isURLOfOthers = credential.isURLOfOthers
    }
}
