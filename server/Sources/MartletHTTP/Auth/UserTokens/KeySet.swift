import JWTKit
import MartletCore
import MartletWire

/// The public keys of an identity provider (RFC 7517), read and ready to check signatures with.
///
/// Keys that cannot check a signature are left out: other uses (`use`, `key_ops`), types and curves that are not
/// known, and above all `oct`: a shared secret has no place in a published set.
struct KeySet: Sendable {
    /// A key under one algorithm.
    struct Key: Sendable {
        /// The key's id in its set.
        let kid: String?
        /// The name of the algorithm, as in a token's `alg`.
        let algorithm: String
        /// What checks a signature.
        let verifier: any JWTAlgorithm
    }

    /// Keys that are read of one set; the largest known sets have about twenty.
    static let bound = 100
    /// The algorithms that a key set may be used with (RFC 7518 section 3.1, RFC 8037).
    static let algorithms: Set<String> = [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
    ]

    /// The usable keys, one entry for each algorithm.
    let keys: [Key]

    /// Reads a key set.
    ///
    /// - Throws: `Failure` with ``ErrorCode/invalidValue`` when it is not one or has no usable key.
    init(json: [UInt8]) async throws(Failure) {
        let set: JWKSDocument
        do {
            set = try DocumentDecoder.decode(JWKSDocument.self, json: json)
        } catch {
            throw KeySet.refusal("It is not JSON of the form {\"keys\":[…]}.")
        }
        guard set.keys.count <= KeySet.bound else { throw KeySet.refusal("It has more than \(KeySet.bound) keys.") }
        var keys: [Key] = []
        for entry in set.keys { if let entry { keys += await KeySet.read(entry) } }
        guard !keys.isEmpty else {
            throw KeySet.refusal("It has no public key for signatures (RSA from 2,048 bits, P-256/384/521 or Ed25519).")
        }
        self.keys = keys
    }

    /// Whether a token that names this key (or none) could be checked.
    func contains(kid: String?) -> Bool {
        guard let kid else { return true }
        return keys.contains { $0.kid == kid }
    }

    /// The keys that a token's header asks for. A token without `kid` may be by any key of its algorithm.
    func candidates(kid: String?, algorithm: String) -> [Key] {
        keys.filter { $0.algorithm == algorithm && (kid == nil || $0.kid == kid) }
    }

    private static func refusal(_ message: String) -> Failure {
        Failure(.invalidValue, message, hint: "Give the set that the identity provider publishes at its jwks_uri.")
    }

    private static func read(_ entry: JWKSDocument.Entry) async -> [Key] {
        guard entry.use == nil || entry.use == "sig", entry.operations?.contains("verify") ?? true else { return [] }
        var found: [Key] = []
        for (algorithm, key) in entry.publicKeys where entry.algorithm == nil || entry.algorithm == algorithm.rawValue {
            // A collection of its own, because a shared one answers an unknown id with its first key.
            let collection = JWTKeyCollection()
            guard (try? await collection.add(jwk: key)) != nil,
                let verifier = try? await collection.getKey(for: key.keyIdentifier), verifier.name == algorithm.rawValue
            else { continue }
            found.append(Key(kid: entry.kid, algorithm: algorithm.rawValue, verifier: verifier))
        }
        return found
    }
}

/// The JSON of a key set; members that are not known are ignored, and entries that are not of this shape are `nil`.
struct JWKSDocument: Decodable {
    /// One key; private members are only looked for.
    struct Entry: Decodable {
        var type: String
        var kid: String?
        var use: String?
        var operations: [String]?
        var algorithm: String?
        var curve: String?
        var modulus: String?
        var exponent: String?
        var x: String?
        var y: String?
        var secret: String?
        var symmetric: String?

        private enum CodingKeys: String, CodingKey {
            case type = "kty"
            case kid, use, x, y
            case operations = "key_ops"
            case algorithm = "alg"
            case curve = "crv"
            case modulus = "n"
            case exponent = "e"
            case secret = "d"
            case symmetric = "k"
        }
    }

    var keys: [Entry?]

    private enum CodingKeys: String, CodingKey { case keys }

    init(from decoder: any Decoder) throws {
        var list = try decoder.container(keyedBy: CodingKeys.self).nestedUnkeyedContainer(forKey: .keys)
        keys = []
        while !list.isAtEnd {
            // A nested decoder moves on even when the entry inside turns out to be of another shape.
            let entry = try list.superDecoder()
            keys.append(try? Entry(from: entry))
        }
    }

    /// Whether a key set gives away a private key (`d`) or a shared one (`k`).
    static func hasSecrets(_ json: String) -> Bool {
        guard let set = try? DocumentDecoder.decode(JWKSDocument.self, json: Array(json.utf8)) else { return false }
        return set.keys.contains { $0?.secret != nil || $0?.symmetric != nil }
    }
}

extension JWKSDocument.Entry {
    /// Bytes of an RSA modulus: 2,048 bits are the least of RFC 7518 section 3.3; over 8,192 only costs time.
    private static let modulusBytes = 256...1024

    /// The public part with each algorithm that fits it.
    fileprivate var publicKeys: [(JWK.Algorithm, JWK)] {
        let id = JWKIdentifier(string: kid ?? "0")
        switch type {
        case "RSA":
            guard let modulus, let exponent,
                let bytes = Base64URL.decode(modulus), Self.modulusBytes.contains(bytes.drop { $0 == 0 }.count)
            else { return [] }
            let algorithms: [JWK.Algorithm] = [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
            return algorithms.map { ($0, .rsa($0, identifier: id, modulus: modulus, exponent: exponent)) }
        case "EC":
            guard let curve = curve.flatMap(ECDSACurve.init(rawValue:)), let x, let y else { return [] }
            let algorithm: JWK.Algorithm =
                switch curve.rawValue {
                case ECDSACurve.p256.rawValue: .es256
                case ECDSACurve.p384.rawValue: .es384
                default: .es512
                }
            return [(algorithm, .ecdsa(algorithm, identifier: id, x: x, y: y, curve: curve))]
        case "OKP":
            guard curve == "Ed25519", let x else { return [] }
            return [(.eddsa, .octetKeyPair(.eddsa, identifier: id, x: x, y: nil, curve: .ed25519))]
        default:
            return []
        }
    }
}
