import MartletCore
import MartletWire

/// What a file is that providers hand out, found out by what is in it and not by its name. A pure value.
package enum CredentialFile: Sendable, Hashable {
    /// The text of a `.p8` file.
    case signingKey(pem: String)
    case pkcs12(bytes: [UInt8])
    /// A certificate with its chain, and its private key, from one file.
    case certificate(pem: String, privateKey: String)
    /// The text of a Firebase service account's file.
    case serviceAccount(json: String)

    /// Tells what it is; `nil` for anything else.
    init?(_ bytes: [UInt8]) {
        // A sequence whose length does not fit a byte (X.690, sections 8.1.3 and 8.9): no text begins like that.
        if bytes.count > 1, bytes[0] == 0x30, (0x80...0x84).contains(bytes[1]) {
            self = .pkcs12(bytes: bytes)
            return
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let key = Self.blocks(of: text) { $0.hasSuffix("PRIVATE KEY") }
        let chain = Self.blocks(of: text) { $0 == "CERTIFICATE" }
        if !chain.isEmpty, !key.isEmpty {
            self = .certificate(pem: chain, privateKey: key)
        } else if !key.isEmpty {
            self = .signingKey(pem: text)
        } else if text.drop(while: \.isWhitespace).first == "{" {
            self = .serviceAccount(json: text)
        } else {
            return nil
        }
    }

    /// The blocks of a PEM text (RFC 7468) whose label is asked for.
    private static func blocks(of text: String, where isAsked: (Substring) -> Bool) -> String {
        var found: [Substring] = []
        var label: Substring?
        for line in text.split(whereSeparator: \.isNewline) {
            let trimmed = line.drop(while: \.isWhitespace)
            if trimmed.hasPrefix("-----BEGIN ") { label = trimmed.dropFirst(11).prefix { $0 != "-" } }
            if let label, isAsked(label) { found.append(line) }
            if trimmed.hasPrefix("-----END ") { label = nil }
        }
        return found.isEmpty ? "" : found.joined(separator: "\n") + "\n"
    }

    /// The key's id in the name that Apple gives the file: `AuthKey_ABCDE12345.p8`.
    package static func keyID(in name: String) -> String? {
        guard name.hasPrefix("AuthKey_"), name.hasSuffix(".p8") else { return nil }
        let id = name.dropFirst(8).dropLast(3).prefix(10)
        let isID = id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        return id.utf8.count == 10 && isID ? String(id) : nil
    }
}
