import SwiftASN1
import X509

/// What a push certificate says of its holder.
struct CertificateIdentity: Equatable, Sendable {
    /// The topics that it may push to; empty when it is no push certificate.
    var topics: [String]
    var environments: Set<APNsEnvironment>
}

extension CertificateIdentity {
    /// Apple's extension that lists topics, each followed by what it is for.
    static let topicsExtension: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 6]
    /// Apple's marks for a certificate of the sandbox and of production; a universal one has both.
    static let sandboxExtension: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 1]
    static let productionExtension: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 2]
    /// UID (RFC 4519 section 2.39), which holds the bundle id.
    static let userID: ASN1ObjectIdentifier = [0, 9, 2_342, 19_200_300, 100, 1, 1]

    /// Reads a certificate: topics from Apple's extension, else from UID, else from a CN that is a bundle id.
    ///
    /// Without either mark the certificate is taken to be for both environments.
    init(derBytes: [UInt8]) {
        guard let certificate = try? Certificate(derEncoded: derBytes) else {
            self.init(topics: [], environments: [])
            return
        }
        var topics = certificate.extensions[oid: Self.topicsExtension].flatMap { Self.topics(in: $0.value) } ?? []
        if topics.isEmpty, let uid = Self.attribute(Self.userID, of: certificate.subject),
            APNsCheck.isWellFormedTopic(uid)
        {
            topics = [uid]
        }
        if topics.isEmpty, let name = Self.attribute([2, 5, 4, 3], of: certificate.subject),
            name.contains("."), APNsCheck.isWellFormedTopic(name)
        {
            topics = [name]
        }
        var environments: Set<APNsEnvironment> = []
        if certificate.extensions[oid: Self.sandboxExtension] != nil { environments.insert(.sandbox) }
        if certificate.extensions[oid: Self.productionExtension] != nil { environments.insert(.production) }
        if environments.isEmpty { environments = Set(APNsEnvironment.allCases) }
        self.init(topics: topics, environments: environments)
    }

    private static func attribute(_ type: ASN1ObjectIdentifier, of name: DistinguishedName) -> String? {
        name.lazy.flatMap { $0 }.first { $0.type == type }.flatMap { String($0.value) }
    }

    /// `SEQUENCE { UTF8String topic, SEQUENCE { UTF8String use … }, … }`
    private static func topics(in bytes: ArraySlice<UInt8>) -> [String]? {
        guard let root = try? DER.parse(bytes), case .constructed(let nodes) = root.content else { return nil }
        return nodes.compactMap { node in
            (try? ASN1UTF8String(derEncoded: node)).map { String($0) }
        }
    }
}
