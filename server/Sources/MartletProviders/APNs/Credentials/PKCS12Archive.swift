import SwiftASN1

/// The parts of a `.p12` file (RFC 7292), as far as they can be told apart without decrypting its certificates.
///
/// Keychain writes BER with indefinite lengths, openssl writes DER; both are read.
struct PKCS12Archive {
    /// Why a file could not be opened.
    enum Problem: Error, Equatable {
        /// It is not PKCS#12.
        case malformed
        /// The password does not fit its checksum.
        case wrongPassword
        /// It uses something that is not supported; what, in words.
        case unsupported(String)
        /// It has no private key.
        case noKey
    }

    /// A private key as it stands in the file.
    enum Key: Equatable {
        /// PKCS#8.
        case plain([UInt8])
        /// Encrypted PKCS#8.
        case encrypted([UInt8])
    }

    /// The private key.
    let key: Key
    /// The other contents: certificates, usually encrypted.
    let contents: [ContentInfo]
    /// The password as the checksum was made with.
    let password: PKCS12MAC.Password

    /// A PKCS#7 ContentInfo.
    enum ContentInfo {
        /// Bags that are not encrypted.
        case bags([ASN1Node])
        /// Anything else, as it stands.
        case other(ASN1Node)
    }

    /// Takes the file apart, sees that what it asks for is bounded, and only then checks the password.
    init(_ bytes: [UInt8], password: String) throws(Problem) {
        do {
            guard let pfx = try BER.parse(bytes).children.map(Array.init), pfx.count == 3 else {
                throw Problem.unsupported("it has no checksum made with its password")
            }
            guard case .data(let octets) = try Self.content(of: pfx[1]) else {
                throw Problem.unsupported("it is signed instead of having a password")
            }
            var work = PKCS12Work()
            let mac = try PKCS12MAC(pfx[2], &work)
            let infos = try BER.parse(octets).children.map(Array.init) ?? []
            guard infos.count <= PKCS12Work.mostParts else {
                throw Problem.unsupported("it has more than \(PKCS12Work.mostParts) parts")
            }
            var keys: [Key] = []
            var contents: [ContentInfo] = []
            for info in infos { contents.append(try Self.part(info, &keys, &work)) }
            self.password = try mac.check(password, of: octets)
            guard let key = keys.first else { throw Problem.noKey }
            guard keys.count == 1 else { throw Problem.unsupported("it has more than one private key") }
            self.key = key
            self.contents = contents
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .malformed
        }
    }

    /// A part of the file without its keys, which go to `keys`; adds what decrypting both asks for.
    private static func part(_ info: ASN1Node, _ keys: inout [Key], _ work: inout PKCS12Work) throws -> ContentInfo {
        switch try content(of: info) {
        case .encrypted(let algorithm):
            try work.add(algorithm: algorithm)
            return .other(info)
        case .other: return .other(info)
        case .data(let inner):
            var others: [ASN1Node] = []
            for bag in try BER.parse(inner).children ?? [] {
                if let key = try key(in: bag, &work) { keys.append(key) } else { others.append(bag) }
            }
            return .bags(others)
        }
    }

    private enum Content {
        case data(ArraySlice<UInt8>)
        /// With the AlgorithmIdentifier of its encryption.
        case encrypted(ASN1Node)
        case other
    }

    private static func content(of info: ASN1Node) throws -> Content {
        guard let parts = info.children.map(Array.init), let type = parts.first else { throw Problem.malformed }
        let name = try ASN1ObjectIdentifier(derEncoded: type)
        guard name == PKCS12Names.data || name == PKCS12Names.encryptedData else { return .other }
        guard parts.count == 2, let inner = parts[1].children?.first else { throw Problem.malformed }
        if name == PKCS12Names.data { return .data(try ASN1OctetString(berEncoded: inner).bytes) }
        // EncryptedData: a version, then type, algorithm and bytes (RFC 2315, sections 13 and 10.1).
        guard let outer = inner.children.map(Array.init), outer.count >= 2,
            let fields = outer[1].children.map(Array.init), fields.count >= 2
        else { throw Problem.malformed }
        return .encrypted(fields[1])
    }

    /// The private key in a bag; `nil` for bags of other things.
    private static func key(in bag: ASN1Node, _ work: inout PKCS12Work) throws -> Key? {
        guard let parts = bag.children.map(Array.init), parts.count >= 2 else { throw Problem.malformed }
        let type = try ASN1ObjectIdentifier(derEncoded: parts[0])
        guard type == PKCS12Names.keyBag || type == PKCS12Names.shroudedKeyBag else { return nil }
        guard let value = parts[1].children?.first else { throw Problem.malformed }
        var der = DER.Serializer()
        der.serialize(value)
        if type == PKCS12Names.keyBag { return .plain(der.serializedBytes) }
        guard let algorithm = value.children?.first else { throw Problem.malformed }
        try work.add(algorithm: algorithm)
        return .encrypted(der.serializedBytes)
    }
}

/// The object identifiers of PKCS#7 and PKCS#12 that are needed here.
enum PKCS12Names {
    static let data: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 1]
    static let encryptedData: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 6]
    static let pbes2: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 5, 13]
    static let keyBag: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 12, 10, 1, 1]
    static let shroudedKeyBag: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 12, 10, 1, 2]
    static let certBag: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 12, 10, 1, 3]
    static let x509Certificate: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 22, 1]
    static let sha1: ASN1ObjectIdentifier = [1, 3, 14, 3, 2, 26]
    static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    static let sha384: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 2]
    static let sha512: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 3]
}
