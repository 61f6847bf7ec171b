import Foundation
import MartletCore

extension ServeSettings {
    /// Where a simulator on this machine has its control interface. Only an address of this machine's own: whoever is
    /// there is asked once a second while somebody looks at its phones.
    ///
    /// - Throws: `CommandFailure` for anything else.
    static func simulator(_ settings: Settings) throws -> String? {
        guard let text = settings.string("console.simulator") else { return nil }
        let address = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard address.hasPrefix("http://"), let parts = URLComponents(string: address), parts.user == nil,
            parts.password == nil, parts.path.isEmpty, parts.query == nil, parts.fragment == nil,
            let host = parts.host, isLoopback(host)
        else {
            throw CommandFailure(
                "The setting console.simulator is not an http address of this machine: '\(text)'.",
                hint: "Write http://127.0.0.1:9444, the address that martlet simulate prints last."
            )
        }
        return address
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host.lowercased() == "localhost" { return true }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return IPAddress(bare)?.specialPurpose == "loopback"
    }
}
