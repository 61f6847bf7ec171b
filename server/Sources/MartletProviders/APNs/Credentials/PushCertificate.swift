import Foundation
import MartletCore
import MartletWire
import SwiftASN1
import X509

/// What a push certificate says of itself (Apple, "Establishing a certificate-based connection to APNs").
struct PushCertificate: Sendable, Hashable {
    /// The topics that it may push to; empty when it names none.
    var topics: [String]
    /// The environments that it is for; empty when it names none.
    var environments: Set<MartletCore.Environment>
    /// The team's id.
    var teamID: String?
    /// When it begins to be valid.
    var validFrom: Timestamp
    /// When it ceases to be valid.
    var validUntil: Timestamp

    /// UID (RFC 4519, section 2.39), which holds the bundle id.
    private static let userID: ASN1ObjectIdentifier = [0, 9, 2_342, 19_200_300, 100, 1, 1]
    /// OU (X.520), which holds the team's id.
    private static let organizationalUnit: ASN1ObjectIdentifier = [2, 5, 4, 11]
    /// Apple's extensions: the list of topics, and the marks of a certificate for the sandbox and for production.
    private static let topicList: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 6]
    private static let sandboxMark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 1]
    private static let productionMark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 2]

    init(_ certificate: Certificate) {
        let listed = certificate.extensions[oid: Self.topicList].map { Self.topics(in: $0.value) } ?? []
        let uid = Self.attribute(Self.userID, of: certificate.subject)
        topics = listed.isEmpty ? [uid].compactMap(\.self) : listed
        environments = []
        if certificate.extensions[oid: Self.sandboxMark] != nil { environments.insert(.sandbox) }
        if certificate.extensions[oid: Self.productionMark] != nil { environments.insert(.production) }
        teamID = Self.attribute(Self.organizationalUnit, of: certificate.subject)
        validFrom = Timestamp(certificate.notValidBefore)
        validUntil = Timestamp(certificate.notValidAfter)
    }

    /// Whether it may push to the topic or to one with a push type's suffix behind it.
    func covers(_ topic: String) -> Bool {
        topics.isEmpty || topics.contains { $0 == topic || $0.hasPrefix(topic + ".") }
    }

    private static func attribute(_ type: ASN1ObjectIdentifier, of name: DistinguishedName) -> String? {
        name.lazy.flatMap { $0 }.first { $0.type == type }.flatMap { String($0.value) }
    }

    /// The list is a SEQUENCE of topics, each followed by what it is for.
    private static func topics(in bytes: ArraySlice<UInt8>) -> [String] {
        let nodes = (try? DER.parse(bytes))?.children ?? []
        return nodes.compactMap { node in (try? ASN1UTF8String(derEncoded: node)).map { String($0) } }
    }
}

extension Timestamp {
    fileprivate init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded(.down)))
    }
}
