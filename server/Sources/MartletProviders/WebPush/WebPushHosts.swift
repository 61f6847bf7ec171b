public import MartletCore
import MartletWire

/// The hosts that subscriptions may be at beside the known services: UnifiedPush servers and services of one's own.
public struct WebPushHosts: Sendable, Hashable {
    private let names: Set<String>
    private let suffixes: [String]

    /// None.
    public static let none = WebPushHosts(names: [], suffixes: [])

    private init(names: Set<String>, suffixes: [String]) { (self.names, self.suffixes) = (names, suffixes) }

    /// Reads names (`push.example.org`) and all names below one (`*.example.org`).
    ///
    /// - Throws: `Failure` that quotes an entry that is neither.
    public init(_ entries: [String]) throws(Failure) {
        var names: Set<String> = []
        var suffixes: [String] = []
        for entry in entries {
            let isSuffix = entry.hasPrefix("*.")
            guard let name = HostName(isSuffix ? String(entry.dropFirst(2)) : entry), IPAddress(name.text) == nil else {
                throw Failure(
                    .invalidValue,
                    "'\(entry)' is not a host name.",
                    hint: "Write push.example.org, or *.example.org for all names below it."
                )
            }
            if isSuffix { suffixes.append("." + name.text) } else { names.insert(name.text) }
        }
        self.init(names: names, suffixes: suffixes)
    }

    func contains(_ host: String) -> Bool { names.contains(host) || suffixes.contains { host.hasSuffix($0) } }
}
