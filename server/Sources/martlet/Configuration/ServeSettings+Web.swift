import Foundation
import MartletCore
import MartletHTTP
import MartletProviders
import NIOCore

extension ServeSettings {
    /// Reads what is about browsers: the push services, and the sites whose pages may call the interface.
    ///
    /// - Throws: `CommandFailure` or `Failure` naming the setting that has no proper value.
    mutating func readWeb(_ settings: Settings) throws {
        // In seconds; all requests of a push have two minutes.
        if let seconds = try settings.number("webpush.requestTimeout", in: 1...120) {
            webPush.requestTimeout = .seconds(Int64(seconds))
        }
        webPush.hosts = try WebPushHosts(Self.list(settings.string("webpush.hosts")))
        let trust = try settings.string("webpush.trust").map { path in
            guard let text = try? String(contentsOfFile: path, encoding: .utf8), text.contains("-----BEGIN CERT") else {
                throw CommandFailure("The setting webpush.trust names no file of PEM certificates: \(path)")
            }
            return text
        }
        for entry in Self.list(settings.string("webpush.origins")) {
            let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let origin = Self.origin(parts[0], schemes: ["https"]) else {
                throw CommandFailure(
                    "The setting webpush.origins has an entry that is no mapping: '\(entry)'.",
                    hint: "Write https://fcm.googleapis.com=https://127.0.0.1:9643, and commas between them."
                )
            }
            webPush.origins[origin] = try WebPushOrigin(url: parts[1], trust: trust)
        }
        for entry in Self.list(settings.string("web.origins")) {
            guard let origin = Self.origin(entry, schemes: ["https", "http"]) else {
                throw CommandFailure(
                    "The setting web.origins has an entry that is no origin: '\(entry)'.",
                    hint: "Write https://shop.example.com, without a path, and commas between them."
                )
            }
            api.webOrigins.insert(origin)
        }
    }

    private static func list(_ text: String?) -> [String] {
        (text?.split(separator: ",") ?? []).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// Scheme, host and perhaps a port, as browsers write an origin; `nil` for anything else.
    private static func origin(_ text: String, schemes: [String]) -> String? {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            schemes.contains(scheme),
            let host = parts.host?.lowercased(), !host.isEmpty, parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil, parts.path.isEmpty
        else { return nil }
        let usual = scheme == "https" ? 443 : 80
        let port = parts.port.map { $0 == usual ? "" : ":\($0)" } ?? ""
        return "\(scheme)://\(host)\(port)"
    }
}
