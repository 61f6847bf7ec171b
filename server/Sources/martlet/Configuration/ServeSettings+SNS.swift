import Foundation
import MartletHTTP
import MartletSNS

extension ServeSettings {
    /// What links to the console begin with, as far as the settings say it.
    var publicAddress: String { sns.publicURL ?? Server.address(host: host, port: port) }

    /// Reads the settings of the SNS interface.
    ///
    /// - Throws: `CommandFailure` naming the setting that has no proper value.
    mutating func readSNS(_ settings: Settings) throws {
        if let region = settings.string("sns.region") {
            guard Self.isRegion(region) else {
                throw CommandFailure(
                    "The setting sns.region is a region's name: 1 to 64 letters, digits and hyphens.",
                    hint: "For example eu-central-1."
                )
            }
            api.region = region
        }
        if let account = settings.string("sns.account") {
            guard account.utf8.count == 12, account.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw CommandFailure(
                    "The setting sns.account has 12 digits.",
                    hint: "In a YAML file put it in quotation marks, to keep a leading zero."
                )
            }
            sns.account = account
        }
        sns.publicURL = try Self.address("sns.publicURL", settings, schemes: ["http", "https"])
        api.publicURL = sns.publicURL
        sns.apnsURL = try Self.address("sns.apnsURL", settings, schemes: ["https"])
        sns.apnsTrust = try Self.certificates("sns.apnsTrust", settings)
    }

    /// The text of a file of certificates that a setting names.
    static func certificates(_ key: String, _ settings: Settings) throws -> String? {
        guard let path = settings.string(key) else { return nil }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8), text.contains("-----BEGIN CERT") else {
            throw CommandFailure("The setting \(key) names no file of PEM certificates: \(path)")
        }
        return text
    }

    /// Names such as `us-east-1`, as they may stand in a signature's scope.
    private static func isRegion(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "-")
            }
    }

    /// An address without a path: what follows is put behind it.
    static func address(_ key: String, _ settings: Settings, schemes: [String]) throws -> String? {
        guard let text = settings.string(key) else { return nil }
        let parts = URLComponents(string: text)
        guard let parts, schemes.contains(parts.scheme?.lowercased() ?? ""), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            parts.path.isEmpty || parts.path == "/"
        else {
            let forms = schemes.map { "\($0)://host:port" }
            throw CommandFailure("The setting \(key) is an address of the form \(forms.joined(separator: " or ")).")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
