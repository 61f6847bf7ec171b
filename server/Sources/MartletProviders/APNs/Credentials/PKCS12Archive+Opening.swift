import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

extension PKCS12Archive {
    /// The certificates in the file, in its order, as DER.
    ///
    /// NIOSSL decrypts a whole file and ends the process when it then has no certificate that fits its key, so it is
    /// never given the file itself: it gets the file's certificates beside a key and a certificate of our own, which
    /// always fit each other.
    func certificates(password: String) throws(Problem) -> [[UInt8]] {
        do {
            let probe = try probe()
            let bundle = try NIOSSLPKCS12Bundle(buffer: probe, passphrase: Array(password.utf8))
            return try bundle.certificateChain.dropFirst().map { try $0.toDERBytes() }
        } catch {
            throw .unsupported("its certificates are encrypted in an unusual way")
        }
    }

    /// The private key.
    ///
    /// - Parameter password: ASCII; NIOSSL ends the process on any other byte.
    func privateKey(password: String) throws(Problem) -> NIOSSLPrivateKey {
        do {
            switch key {
            case .plain(let der): return try NIOSSLPrivateKey(bytes: der, format: .der)
            case .encrypted(let der):
                let pem = PEMDocument(type: "ENCRYPTED PRIVATE KEY", derBytes: der).pemString
                return try NIOSSLPrivateKey(bytes: Array(pem.utf8), format: .pem) { $0(Array(password.utf8)) }
            }
        } catch {
            throw .unsupported("its private key is encrypted in an unusual way")
        }
    }

    /// A key and a certificate of our own and then the file's contents but its key, as a new file.
    ///
    /// Ours come first: a second key, hidden in encrypted contents where ``PKCS12Work`` cannot see what it asks for, is
    /// then refused before it is decrypted.
    func probe() throws -> [UInt8] {
        let own = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("martlet") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: .init(own.publicKey),
            notValidBefore: Date(),
            notValidAfter: Date(timeIntervalSinceNow: 3_600),
            issuer: name,
            subject: name,
            extensions: .init(),
            issuerPrivateKey: .init(own)
        )
        var certificateDER = DER.Serializer()
        try certificateDER.serialize(certificate)
        var safe = DER.Serializer()
        try safe.appendConstructedNode(identifier: .sequence) { safe in
            try safe.append(bags: { list in
                try list.append(bag: PKCS12Names.keyBag) { $0.serializeRawBytes(own.derRepresentation) }
                try list.append(bag: PKCS12Names.certBag) { value in
                    try value.appendConstructedNode(identifier: .sequence) { bag in
                        try bag.serialize(PKCS12Names.x509Certificate)
                        try bag.appendConstructedNode(identifier: .explicit0) {
                            try $0.serialize(ASN1OctetString(contentBytes: certificateDER.serializedBytes[...]))
                        }
                    }
                }
            })
            for info in contents {
                switch info {
                case .other(let node): safe.serialize(node)
                case .bags(let bags): try safe.append(bags: { list in for bag in bags { list.serialize(bag) } })
                }
            }
        }
        return try Self.sealed(safe.serializedBytes, password: self.password)
    }

    /// A whole file around its contents, with a checksum made with the same password.
    static func sealed(_ contents: [UInt8], password: PKCS12MAC.Password) throws -> [UInt8] {
        let salt = [UInt8](repeating: 0, count: 8)
        let mac = PKCS12MAC.code(SHA256.self, password: password, salt: salt, iterations: 1, contents: contents)
        var file = DER.Serializer()
        try file.appendConstructedNode(identifier: .sequence) { file in
            // The version of PKCS#12 v1.1 (RFC 7292, section 4).
            try file.serialize(3)
            try file.append(data: contents)
            try file.appendConstructedNode(identifier: .sequence) { macData in
                try macData.appendConstructedNode(identifier: .sequence) { info in
                    try info.appendConstructedNode(identifier: .sequence) {
                        try $0.serialize(PKCS12Names.sha256)
                        try $0.serialize(ASN1Null())
                    }
                    try info.serialize(ASN1OctetString(contentBytes: mac[...]))
                }
                try macData.serialize(ASN1OctetString(contentBytes: salt[...]))
            }
        }
        return file.serializedBytes
    }
}

extension ASN1Identifier {
    /// `[0]`, explicit.
    fileprivate static let explicit0 = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
}

extension DER.Serializer {
    /// A ContentInfo around bytes.
    fileprivate mutating func append(data: [UInt8]) throws {
        try appendConstructedNode(identifier: .sequence) { info in
            try info.serialize(PKCS12Names.data)
            try info.appendConstructedNode(identifier: .explicit0) {
                try $0.serialize(ASN1OctetString(contentBytes: data[...]))
            }
        }
    }

    /// A ContentInfo around bags that are not encrypted.
    fileprivate mutating func append(bags: (inout DER.Serializer) throws -> Void) throws {
        var list = DER.Serializer()
        try list.appendConstructedNode(identifier: .sequence) { try bags(&$0) }
        try append(data: list.serializedBytes)
    }

    /// A bag of one type.
    fileprivate mutating func append(
        bag type: ASN1ObjectIdentifier,
        _ value: (inout DER.Serializer) throws -> Void
    ) throws {
        try appendConstructedNode(identifier: .sequence) { bag in
            try bag.serialize(type)
            try bag.appendConstructedNode(identifier: .explicit0) { try value(&$0) }
        }
    }
}
