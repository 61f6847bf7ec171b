import MartletCore
import MartletWire

/// The push services that are known by their hosts, each with rules of its own. At Web Push a service is what an
/// environment is at Apple: an endpoint is at one of them, and each has delivery queues of its own.
enum WebPushService {
    /// Exact names, and suffixes that begin with a dot (vendors' documentation; `jmt17.google.com` is what Chromium
    /// without Google's brand is given).
    private static let hosts: [(name: String, service: Environment)] = [
        ("fcm.googleapis.com", .google), ("jmt17.google.com", .google),
        (".push.services.mozilla.com", .mozilla),
        (".notify.windows.com", .microsoft),
        (".push.apple.com", .apple),
    ]

    /// The service of a host; `nil` for a host that is none of theirs.
    static func known(_ host: String) -> Environment? {
        hosts.first { $0.name.first == "." ? host.hasSuffix($0.name) : host == $0.name }?.service
    }

    /// Most connections to one origin of a service. Google spreads a project over several front ends; other hosts may be
    /// somebody's own machine.
    static func connections(_ service: Environment) -> Int {
        switch service {
        case .google: 16
        case .mozilla, .apple: 4
        default: 1
        }
    }
}
