import SwiftASN1

/// How much work a `.p12` file asks for, added up before any of it is done.
///
/// A file says itself how often its password is hashed, for the checksum, the key and each encrypted part; the library
/// that decrypts takes up to 100 million for each.
struct PKCS12Work {
    /// All of a file's iterations together: far more than programs use (openssl: 2,048 for each), and about a second's
    /// work.
    static let mostIterations = 1_000_000
    /// Programs write two: one for the certificates, one for the key.
    static let mostParts = 8

    private var iterations = 0

    /// Adds an iteration count.
    ///
    /// - Throws: `PKCS12Archive.Problem` when it is none, or when the sum is too large.
    mutating func add(count node: ASN1Node) throws {
        guard node.identifier == .integer else { throw PKCS12Archive.Problem.malformed }
        // One that does not fit an Int is too large as well.
        guard let count = try? Int(derEncoded: node), count <= Self.mostIterations - iterations else {
            throw PKCS12Archive.Problem.unsupported("it asks for more than \(Self.mostIterations) iterations")
        }
        guard count > 0 else { throw PKCS12Archive.Problem.malformed }
        iterations += count
    }

    /// Adds what an AlgorithmIdentifier of password-based encryption asks for.
    mutating func add(algorithm: ASN1Node) throws {
        guard let parts = algorithm.children.map(Array.init), parts.count == 2 else {
            throw PKCS12Archive.Problem.malformed
        }
        var parameters = parts[1]
        if try ASN1ObjectIdentifier(derEncoded: parts[0]) == PKCS12Names.pbes2 {
            // PBES2 names its key derivation, whose parameters begin like those of the older schemes (RFC 8018,
            // appendix A.2 and A.4).
            guard let derivation = parameters.children?.first, let inner = derivation.children.map(Array.init),
                inner.count == 2
            else { throw PKCS12Archive.Problem.malformed }
            parameters = inner[1]
        }
        guard let values = parameters.children.map(Array.init), values.count >= 2 else {
            throw PKCS12Archive.Problem.malformed
        }
        try add(count: values[1])
    }
}
