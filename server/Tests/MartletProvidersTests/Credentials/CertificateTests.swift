import Foundation
import MartletCore
import MartletTesting
import MartletWire
import SwiftASN1
import Testing

@testable import MartletProviders

// One after the other: a second .p12 file is refused while one is being opened.
@Suite("Certificates", .serialized)
struct CertificateTests {
    /// An hour from now, because the certificates are made later than this value.
    private let now = SystemClock().now() + .seconds(3_600)

    private func check(_ secret: CredentialDraft.Secret.APNs, topic: String = "com.example.app", now: Timestamp? = nil)
        throws
        -> CheckedCredential
    {
        let draft = CredentialDraft(.apns(secret, bundleID: topic))
        return try APNsCredentialCheck.check(draft, now: now ?? self.now)
    }

    private func failure(
        _ secret: CredentialDraft.Secret.APNs,
        topic: String = "com.example.app",
        now: Timestamp? = nil
    )
        throws
        -> Failure
    {
        let failure = try #require(throws: Failure.self) { _ = try check(secret, topic: topic, now: now) }
        #expect(failure.code == .invalidCredential)
        #expect(failure.detail.hint != nil)
        return failure
    }

    private func withOpenSSL(_ body: (OpenSSL) throws -> Void) throws {
        let openssl = try OpenSSL()
        defer { openssl.remove() }
        try openssl.makeCertificate("a")
        try body(openssl)
    }

    private func expectGood(_ checked: CheckedCredential) throws {
        #expect(checked.summary.kind == .certificate)
        #expect(checked.summary.topic == "com.example.app")
        #expect(checked.summary.teamID == "TEAM123456")
        let days = (try #require(checked.summary.expiresAt) - now) / .seconds(86_400)
        #expect((29...30.1).contains(days))
        guard case .certificate(let chain, let key) = try APNsSecret(bytes: checked.secret) else {
            Issue.record("not a certificate")
            return
        }
        #expect(!chain.isEmpty && !key.isEmpty)
    }

    @Test(
        "a .p12 file is opened, whatever it is encrypted with",
        arguments: [
            "", "-legacy", "-certpbe NONE", "-keypbe NONE", "-certpbe NONE -keypbe NONE", "-macalg SHA512",
            "-keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES -macalg SHA1", "-iter 1", "-name my-key",
        ]
    )
    func encryptions(options: String) throws {
        try withOpenSSL { openssl in
            try openssl.run("pkcs12 -export -inkey a.key -in a.pem -out a.p12 -passout pass:secret \(options)")
            try expectGood(try check(.pkcs12(bytes: try openssl.bytes("a.p12"), password: "secret")))
        }
    }

    @Test("a .p12 file with an RSA key, a chain and an empty password is opened")
    func chain() throws {
        try withOpenSSL { openssl in
            try openssl.makeCertificate("rsa", newKey: "rsa:2048")
            try openssl.run(
                "pkcs12 -export -inkey rsa.key -in rsa.pem -certfile a.pem -out a.p12 -passout pass:"
            )
            let checked = try check(.pkcs12(bytes: try openssl.bytes("a.p12"), password: ""))
            try expectGood(checked)
            guard case .certificate(let chain, _) = try APNsSecret(bytes: checked.secret) else { return }
            let leaf = try PEMDocument(pemString: try openssl.text("rsa.pem")).derBytes
            #expect(chain.map { Array($0) }.first == leaf)
            #expect(chain.count == 2)
        }
    }

    @Test("a .p12 file written in BER with indefinite lengths, as Keychain does, is opened")
    func indefiniteLengths() throws {
        try withOpenSSL { openssl in
            try openssl.run("pkcs12 -export -inkey a.key -in a.pem -out a.p12 -passout pass:secret -legacy")
            let ber = try Self.indefinite(try DER.parse(try openssl.bytes("a.p12")))
            #expect(ber[1] == 0x80)
            try expectGood(try check(.pkcs12(bytes: ber, password: "secret")))
        }
    }

    /// The same value with every constructed node of indefinite length, and octet strings cut in two.
    private static func indefinite(_ node: ASN1Node) throws -> [UInt8] {
        switch node.content {
        case .constructed(let nodes):
            return try [node.encodedBytes.first!, 0x80] + nodes.flatMap { try indefinite($0) } + [0, 0]  // not empty
        case .primitive(let bytes) where node.identifier == .octetString && bytes.count > 100:
            let middle = bytes.startIndex + 50
            let parts = [bytes[..<middle], bytes[middle...]].flatMap { part in
                var der = DER.Serializer()
                der.appendPrimitiveNode(identifier: .octetString) { $0.append(contentsOf: part) }
                return der.serializedBytes
            }
            return [0x24, 0x80] + parts + [0, 0]
        case .primitive: return Array(node.encodedBytes)
        }
    }

    @Test("a wrong password is said to be one", arguments: ["", "Secret", "secret "])
    func wrongPassword(password: String) throws {
        try withOpenSSL { openssl in
            for options in ["", "-legacy"] {
                try openssl.run("pkcs12 -export -inkey a.key -in a.pem -out a.p12 -passout pass:secret \(options)")
                let failure = try failure(.pkcs12(bytes: try openssl.bytes("a.p12"), password: password))
                #expect(failure.detail.message.contains("password"))
                #expect(!failure.detail.message.contains("secret"))
            }
        }
    }

    @Test(
        "a .p12 file without key, without certificate, without checksum or with a foreign one is refused, not a crash"
    )
    func incomplete() throws {
        try withOpenSSL { openssl in
            try openssl.makeCertificate("b")
            let cases = [
                ("-nokeys -in a.pem", "no private key"), ("-nocerts -inkey a.key -in a.key", "no certificate"),
                ("-nomac -inkey a.key -in a.pem", "checksum"),
            ]
            for (options, words) in cases {
                try openssl.run("pkcs12 -export \(options) -out c.p12 -passout pass:secret")
                let failure = try failure(.pkcs12(bytes: try openssl.bytes("c.p12"), password: "secret"))
                #expect(failure.detail.message.contains(words), "\(failure.detail.message)")
            }
        }
    }

    @Test("a .p12 file whose certificates do not fit its key is refused, not a crash")
    func foreignCertificate() throws {
        try withOpenSSL { openssl in
            try openssl.makeCertificate("b")
            for name in ["a", "b"] {
                try openssl.run(
                    "pkcs12 -export -inkey \(name).key -in \(name).pem -out \(name).p12 -passout pass:secret -keypbe NONE"
                )
            }
            let mixed = try Self.mixed(try openssl.bytes("a.p12"), try openssl.bytes("b.p12"))
            let failure = try failure(.pkcs12(bytes: mixed, password: "secret"))
            #expect(failure.detail.message.contains("does not belong"))
        }
    }

    /// The ContentInfos of a file: its certificates and its key.
    private static func infos(_ file: [UInt8]) throws -> [ASN1Node] {
        let safe = try #require(try DER.parse(file).children?[1].children?[1].children?[0])
        return Array(try #require(try DER.parse(try ASN1OctetString(derEncoded: safe).bytes).children))
    }

    /// The certificates of one file with the key of the other, under a new checksum.
    private static func mixed(_ certificates: [UInt8], _ key: [UInt8]) throws -> [UInt8] {
        var contents = DER.Serializer()
        let (first, second) = (try infos(certificates)[0], try infos(key)[1])
        contents.appendConstructedNode(identifier: .sequence) {
            $0.serialize(first)
            $0.serialize(second)
        }
        return try PKCS12Archive.sealed(contents.serializedBytes, password: PKCS12MAC.Password("secret"))
    }

    @Test("a .p12 file that asks for more than a million iterations is refused before it is decrypted")
    func iterations() throws {
        try withOpenSSL { openssl in
            let export = "pkcs12 -export -inkey a.key -in a.pem -out a.p12 -passout pass:secret"
            // Once each for the certificates, the key and the checksum.
            try openssl.run("\(export) -iter 30000")
            try expectGood(try check(.pkcs12(bytes: try openssl.bytes("a.p12"), password: "secret")))
            for options in ["", "-legacy", "-keypbe NONE", "-certpbe NONE"] {
                try openssl.run("\(export) -iter 600000 \(options)")
                let failure = try failure(.pkcs12(bytes: try openssl.bytes("a.p12"), password: "secret"))
                #expect(failure.detail.message.contains("iterations"), "\(failure.detail.message)")
            }
        }
    }

    @Test("a .p12 file with more than eight parts is refused before it is decrypted", arguments: [8, 9])
    func parts(count: Int) throws {
        try withOpenSSL { openssl in
            try openssl.run("pkcs12 -export -inkey a.key -in a.pem -out a.p12 -passout pass:secret -keypbe NONE")
            let infos = try Self.infos(try openssl.bytes("a.p12"))
            var contents = DER.Serializer()
            contents.appendConstructedNode(identifier: .sequence) { list in
                for _ in 2...count { list.serialize(infos[0]) }
                list.serialize(infos[1])
            }
            let file = try PKCS12Archive.sealed(contents.serializedBytes, password: PKCS12MAC.Password("secret"))
            guard count > 8 else {
                try expectGood(try check(.pkcs12(bytes: file, password: "secret")))
                return
            }
            let failure = try failure(.pkcs12(bytes: file, password: "secret"))
            #expect(failure.detail.message.contains("parts"), "\(failure.detail.message)")
        }
    }

    @Test("our own key is the first thing in what NIOSSL gets, so that a hidden second one is not decrypted")
    func probeOrder() throws {
        try withOpenSSL { openssl in
            try openssl.run("pkcs12 -export -inkey a.key -in a.pem -out a.p12 -passout pass:secret")
            let archive = try PKCS12Archive(try openssl.bytes("a.p12"), password: "secret")
            let infos = try Self.infos(try archive.probe())
            let data = try #require(infos[0].children.map(Array.init)?[1].children?.first { _ in true })
            let bags = try DER.parse(try ASN1OctetString(derEncoded: data).bytes).children.map(Array.init) ?? []
            let name = try #require(bags.first?.children?.first { _ in true })
            #expect(try ASN1ObjectIdentifier(derEncoded: name) == PKCS12Names.keyBag)
        }
    }

    @Test("while one .p12 file is opened another is refused, to be sent again")
    func oneAtATime() throws {
        try withOpenSSL { openssl in
            try openssl.run("pkcs12 -export -inkey a.key -in a.pem -out a.p12 -passout pass:secret")
            let bytes = try openssl.bytes("a.p12")
            let failure = try CertificateIdentity.gate.pass { () throws(Failure) in
                #expect(throws: Failure.self) { _ = try check(.pkcs12(bytes: bytes, password: "secret")) }
            }
            #expect(failure?.code == .overloaded)
            #expect(failure?.detail.hint != nil)
            try expectGood(try check(.pkcs12(bytes: bytes, password: "secret")))
        }
    }

    @Test("damaged files are refused, not a crash")
    func damaged() throws {
        try withOpenSSL { openssl in
            try openssl.run("pkcs12 -export -inkey a.key -in a.pem -out a.p12 -passout pass:secret")
            let good = try openssl.bytes("a.p12")
            #expect(throws: Failure.self) { try check(.pkcs12(bytes: [], password: "")) }
            for length in stride(from: 1, to: good.count - 1, by: 37) {
                #expect(throws: Failure.self) { try check(.pkcs12(bytes: Array(good[..<length]), password: "secret")) }
            }
            for position in stride(from: 0, to: good.count, by: 23) {
                var bad = good
                bad[position] ^= 0x55
                _ = try? check(.pkcs12(bytes: bad, password: "secret"))
            }
        }
    }

    @Test("a password that is not ASCII is refused with what to do")
    func otherPasswords() throws {
        for password in ["pässword", "a\0b", String(repeating: "x", count: 513)] {
            #expect(try failure(.pkcs12(bytes: [1], password: password)).detail.message.contains("ASCII"))
        }
    }

    @Test("a PEM pair is taken with any form of key")
    func pemPair() throws {
        try withOpenSSL { openssl in
            let certificate = try openssl.text("a.pem")
            try expectGood(try check(.pem(certificate: certificate, privateKey: try openssl.text("a.key"))))
            try openssl.run("ec -in a.key -out old.key")
            try expectGood(try check(.pem(certificate: certificate, privateKey: try openssl.text("old.key"))))
            let both = certificate + (try openssl.text("a.key"))
            try expectGood(try check(.pem(certificate: both, privateKey: both)))
            try openssl.makeCertificate("rsa", newKey: "rsa:2048")
            try openssl.run("rsa -traditional -in rsa.key -out oldrsa.key")
            let rsa = try openssl.text("rsa.pem")
            try expectGood(try check(.pem(certificate: rsa + certificate, privateKey: try openssl.text("oldrsa.key"))))
        }
    }

    @Test("a PEM pair that does not fit, is encrypted or is none is refused")
    func badPEMPair() throws {
        try withOpenSSL { openssl in
            try openssl.makeCertificate("b")
            try openssl.run("pkey -in a.key -aes256 -passout pass:x -out encrypted.key")
            let (certificate, key) = (try openssl.text("a.pem"), try openssl.text("a.key"))
            let cases = [
                (certificate, try openssl.text("b.key"), "does not belong"),
                (certificate, try openssl.text("encrypted.key"), "encrypted"), (certificate, "", "not PEM"),
                ("", key, "not PEM"), (key, key, "not PEM"),
                ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", key, "cannot be read"),
            ]
            for (certificate, key, words) in cases {
                let failure = try failure(.pem(certificate: certificate, privateKey: key))
                #expect(failure.detail.message.contains(words), "\(failure.detail.message)")
            }
        }
    }

    @Test("an expired certificate and one that is not valid yet are refused with the day")
    func validity() throws {
        try withOpenSSL { openssl in
            let secret = CredentialDraft.Secret.APNs.pem(
                certificate: try openssl.text("a.pem"),
                privateKey: try openssl.text("a.key")
            )
            let expired = try failure(secret, now: now + .seconds(40 * 86_400))
            #expect(expired.detail.message.contains("expired on 20"))
            let early = try failure(secret, now: now - .seconds(86_400))
            #expect(early.detail.message.contains("not valid before"))
        }
    }

    @Test("the topic is the certificate's own when none is given, and another app's is refused")
    func topics() throws {
        try withOpenSSL { openssl in
            let secret = CredentialDraft.Secret.APNs.pem(
                certificate: try openssl.text("a.pem"),
                privateKey: try openssl.text("a.key")
            )
            #expect(try check(secret, topic: "").summary.topic == "com.example.app")
            let failure = try failure(secret, topic: "com.example.other")
            #expect(failure.detail.field == "topic")
            #expect(failure.detail.hint?.contains("com.example.app") == true)
        }
    }
}
