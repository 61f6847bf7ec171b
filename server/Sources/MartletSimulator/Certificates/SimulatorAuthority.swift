import Crypto
import Foundation
import SwiftASN1
import X509

/// A certificate and its key, both as PEM.
package struct CertificatePair: Sendable {
    /// `CERTIFICATE`
    package let certificatePEM: String
    /// `PRIVATE KEY` (PKCS #8)
    package let keyPEM: String
}

/// A certificate authority that lives as long as the simulator: it signs the server's certificate and, for tests,
/// push certificates like Apple's.
package struct SimulatorAuthority: Sendable {
    /// The authority's own certificate, for clients to trust (`curl --cacert`).
    package let certificatePEM: String

    private let name: DistinguishedName
    private let key: Certificate.PrivateKey
    /// A day before now, so that a clock that is behind still accepts it.
    private let notBefore = Date(timeIntervalSinceNow: -86_400)
    /// 397 days: the longest that common clients take from a server certificate.
    private let notAfter = Date(timeIntervalSinceNow: 396 * 86_400)

    /// Makes a new authority with a P-256 key.
    ///
    /// - Throws: an error of the certificate library.
    package init() throws {
        let name = try DistinguishedName {
            CommonName("Martlet simulator authority")
        }
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: key.publicKey,
            notValidBefore: notBefore,
            notValidAfter: notAfter,
            issuer: name,
            subject: name,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: key.publicKey)
            },
            issuerPrivateKey: key
        )
        certificatePEM = try certificate.serializeAsPEM().pemString
        self.name = name
        self.key = key
    }

    /// A server certificate for localhost, 127.0.0.1 and ::1.
    ///
    /// - Throws: an error of the certificate library.
    package func serverCertificate() throws -> CertificatePair {
        let names = SubjectAlternativeNames([
            .dnsName("localhost"),
            .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
            .ipAddress(ASN1OctetString(contentBytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])),
        ])
        return try issue(
            subject: try DistinguishedName { CommonName("localhost") },
            extensions: [
                try .init(try ExtendedKeyUsage([.serverAuth]), critical: false),
                try .init(names, critical: false),
            ]
        )
    }

    /// A push certificate as Apple issues it: UID and CN name the first topic, Apple's extension lists all of them.
    ///
    /// - Parameter environment: `nil` for a universal certificate.
    /// - Throws: an error of the certificate library.
    package func pushCertificate(topics: [String], environment: APNsEnvironment? = nil) throws -> CertificatePair {
        let uid = RelativeDistinguishedName.Attribute(
            type: CertificateIdentity.userID,
            value: .init(utf8String: topics.first ?? "")
        )
        let subject = DistinguishedName(
            try [RelativeDistinguishedName(uid)]
                + DistinguishedName { CommonName("Apple Push Services: \(topics.first ?? "")") }
        )
        var list = DER.Serializer()
        try list.appendConstructedNode(identifier: .sequence) { list in
            for topic in topics {
                try list.serialize(ASN1UTF8String(topic))
                try list.appendConstructedNode(identifier: .sequence) { try $0.serialize(ASN1UTF8String("app")) }
            }
        }
        var marks: [ASN1ObjectIdentifier] = []
        if environment != .production { marks.append(CertificateIdentity.sandboxExtension) }
        if environment != .sandbox { marks.append(CertificateIdentity.productionExtension) }
        let null: ArraySlice<UInt8> = [0x05, 0x00]
        var extensions = try [
            Certificate.Extension(try ExtendedKeyUsage([.clientAuth]), critical: false),
            Certificate.Extension(
                oid: CertificateIdentity.topicsExtension,
                critical: false,
                value: list.serializedBytes[...]
            ),
        ]
        extensions += marks.map { .init(oid: $0, critical: false, value: null) }
        return try issue(subject: subject, extensions: topics.isEmpty ? [extensions[0]] : extensions)
    }

    private func issue(
        subject: DistinguishedName,
        extensions: [Certificate.Extension]
    ) throws -> CertificatePair {
        let own = P256.Signing.PrivateKey()
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: Certificate.PrivateKey(own).publicKey,
            notValidBefore: notBefore,
            notValidAfter: notAfter,
            issuer: name,
            subject: subject,
            extensions: try Certificate.Extensions(
                [
                    Certificate.Extension(BasicConstraints.notCertificateAuthority, critical: true),
                    Certificate.Extension(KeyUsage(digitalSignature: true), critical: true),
                ] + extensions
            ),
            issuerPrivateKey: key
        )
        return CertificatePair(
            certificatePEM: try certificate.serializeAsPEM().pemString,
            keyPEM: own.pemRepresentation
        )
    }
}
