import Foundation

/// What authenticates an app at APNs.
enum APNsSecret: SealedSecret, Hashable {
    /// A signing key as PKCS#8 PEM.
    case signingKey(pem: String)
    /// A certificate with its chain, the leaf first, and its private key, all DER.
    case certificate(chain: [Data], key: Data)
}
