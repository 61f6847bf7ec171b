import Crypto
import SwiftASN1

/// The checksum of a `.p12` file: an HMAC whose key comes from the password (RFC 7292, section 4 and appendix B).
struct PKCS12MAC {
    /// A password as bytes: 16-bit characters and a final zero (appendix B.1). Some programs write none at all for the
    /// empty one.
    struct Password: Equatable {
        var bytes: [UInt8]

        /// The usual form of a password of ASCII characters.
        init(_ text: String) { bytes = (Array(text.utf8) + [0]).flatMap { [0, $0] } }

        private init() { bytes = [] }

        static let none = Password()
    }

    let hash: ASN1ObjectIdentifier
    let salt: [UInt8]
    let iterations: Int
    let digest: [UInt8]

    /// Reads a MacData and adds what checking it asks for.
    init(_ node: ASN1Node, _ work: inout PKCS12Work) throws {
        guard let parts = node.children.map(Array.init), (2...3).contains(parts.count),
            let info = parts[0].children.map(Array.init), info.count == 2,
            let algorithm = info[0].children?.first
        else { throw PKCS12Archive.Problem.malformed }
        hash = try ASN1ObjectIdentifier(derEncoded: algorithm)
        digest = Array(try ASN1OctetString(berEncoded: info[1]).bytes)
        salt = Array(try ASN1OctetString(berEncoded: parts[1]).bytes)
        if parts.count == 3 { try work.add(count: parts[2]) }
        iterations = parts.count == 3 ? try Int(derEncoded: parts[2]) : 1
    }

    /// Checks a password against the contents that the checksum is of.
    ///
    /// - Returns: the form of the password that fits.
    func check(_ text: String, of contents: ArraySlice<UInt8>) throws -> Password {
        let candidates = text.isEmpty ? [Password(text), .none] : [Password(text)]
        for password in candidates where try code(password, contents) == digest { return password }
        throw PKCS12Archive.Problem.wrongPassword
    }

    private func code(_ password: Password, _ contents: ArraySlice<UInt8>) throws -> [UInt8] {
        switch hash {
        case PKCS12Names.sha1: code(Insecure.SHA1.self, password, contents)
        case PKCS12Names.sha256: code(SHA256.self, password, contents)
        case PKCS12Names.sha384: code(SHA384.self, password, contents)
        case PKCS12Names.sha512: code(SHA512.self, password, contents)
        default: throw PKCS12Archive.Problem.unsupported("its checksum is not one of SHA-1 and SHA-2")
        }
    }

    private func code<H: HashFunction>(_: H.Type, _ password: Password, _ contents: ArraySlice<UInt8>) -> [UInt8] {
        Self.code(H.self, password: password, salt: salt, iterations: iterations, contents: contents)
    }

    /// The checksum of contents. Its key is as long as one hash, so one round of appendix B.2 is enough; 3 is the number
    /// that stands for the key of a checksum (appendix B.3).
    static func code<H: HashFunction>(
        _: H.Type,
        password: Password,
        salt: [UInt8],
        iterations: Int,
        contents: some Sequence<UInt8>
    ) -> [UInt8] {
        let block = H.blockByteCount
        let start =
            [UInt8](repeating: 3, count: block) + repeated(salt, multipleOf: block)
            + repeated(password.bytes, multipleOf: block)
        var key = Array(H.hash(data: start))
        for _ in 1..<iterations { key = Array(H.hash(data: key)) }
        return Array(HMAC<H>.authenticationCode(for: Array(contents), using: SymmetricKey(data: key)))
    }

    /// Bytes repeated until they fill whole blocks.
    private static func repeated(_ bytes: [UInt8], multipleOf block: Int) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        let count = (bytes.count + block - 1) / block * block
        return (0..<count).map { bytes[$0 % bytes.count] }
    }
}
