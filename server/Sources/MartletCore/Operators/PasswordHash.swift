import Crypto
import CryptoExtras
import Foundation

/// What is stored of a password: a scrypt key (RFC 7914), with its salt and the parameters that it was made with.
public struct PasswordHash: Sendable, Hashable {
    /// How much work a hash is.
    package struct Cost: Sendable, Hashable {
        /// The logarithm of N: 15 is 32 MiB and some 80 ms.
        package var rounds: Int
        package var blockSize: Int
        package var parallelism: Int

        /// N=2^15, r=8, p=1.
        package static let standard = Cost(rounds: 15, blockSize: 8, parallelism: 1)

        package init(rounds: Int, blockSize: Int, parallelism: Int) {
            self.rounds = rounds
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// Whether it is one that a stored hash may ask for: 128 MiB at most.
        package var isSensible: Bool {
            (1...17).contains(rounds) && (1...8).contains(blockSize) && (1...4).contains(parallelism)
        }
    }

    package let cost: Cost
    package let salt: [UInt8]
    package let key: [UInt8]

    package static let saltLength = 16
    package static let keyLength = 32

    /// The hash of a password, with a new salt. It takes ``Cost`` of work, on the caller's thread.
    ///
    /// - Parameter password: not empty.
    package init(of password: [UInt8], cost: Cost) throws {
        self.cost = cost
        salt = Self.random(Self.saltLength)
        key = try Self.derive(password, salt, cost)
    }

    /// A hash of which nobody knows a password, so that an unknown name costs what a known one does.
    package init(ofNothing cost: Cost) {
        self.cost = cost
        salt = Self.random(Self.saltLength)
        key = Self.random(Self.keyLength)
    }

    /// Reads ``text``; `nil` when it is not in that form.
    package init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt", let cost = Self.cost(parts[2]),
            let salt = Base64URL.decode(parts[3]), let key = Base64URL.decode(parts[4]),
            salt.count == Self.saltLength, key.count == Self.keyLength
        else { return nil }
        self.cost = cost
        self.salt = salt
        self.key = key
    }

    /// The hash as it is stored, like the strings of the Password Hashing Competition, with base64url:
    /// `$scrypt$ln=15,r=8,p=1$SALT$KEY`.
    package var text: String {
        let parameters = "ln=\(cost.rounds),r=\(cost.blockSize),p=\(cost.parallelism)"
        return "$scrypt$\(parameters)$\(Secret.base64URL(salt))$\(Secret.base64URL(key))"
    }

    /// Whether it is of this password, after as much work as making it was.
    package func matches(_ password: [UInt8]) throws -> Bool {
        isSecretlyEqual(try Self.derive(password, salt, cost), key)
    }

    private static func cost(_ text: String) -> Cost? {
        var values: [Int] = []
        for (part, name) in zip(text.split(separator: ","), ["ln=", "r=", "p="]) where part.hasPrefix(name) {
            if let value = Int(part.dropFirst(name.count)) { values.append(value) }
        }
        guard values.count == 3 else { return nil }
        let cost = Cost(rounds: values[0], blockSize: values[1], parallelism: values[2])
        return cost.isSensible ? cost : nil
    }

    package static func derive(_ password: [UInt8], _ salt: [UInt8], _ cost: Cost) throws -> [UInt8] {
        try KDF.Scrypt.deriveKey(
            from: password,
            salt: salt,
            outputByteCount: keyLength,
            rounds: 1 << cost.rounds,
            blockSize: cost.blockSize,
            parallelism: cost.parallelism
        )
        .withUnsafeBytes { Array($0) }
    }

    private static func random(_ count: Int) -> [UInt8] {
        SymmetricKey(size: SymmetricKeySize(bitCount: count * 8)).withUnsafeBytes { Array($0) }
    }
}

extension PasswordHash: CustomStringConvertible, CustomReflectable {
    /// Nothing of the hash.
    public var description: String { "a password's hash" }

    /// Nothing of the hash.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
