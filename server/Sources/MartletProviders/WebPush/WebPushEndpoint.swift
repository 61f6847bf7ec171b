import MartletCore
import MartletWire

/// Where a subscription is pushed to, taken apart: https at a host that is allowed, and nothing that a second parser
/// could read differently.
struct WebPushEndpoint: Sendable, Hashable {
    /// The host.
    let host: String
    /// The path with its query, as it is sent.
    let path: String
    /// The push service.
    let service: Environment

    /// Scheme and host, which a VAPID token names as its audience (RFC 8292, section 2).
    var origin: String { "https://\(host)" }

    /// The address in one form.
    var text: String { origin + path }

    private static let scheme = "https://"

    /// Reads an address.
    ///
    /// - Parameters:
    ///   - hosts: the hosts that are allowed beside the known services.
    ///   - field: where the address stands.
    /// - Throws: `Failure` naming the field.
    init(_ text: String, hosts: WebPushHosts, field: String) throws(Failure) {
        let text = try DeviceToken.check(text, field: field)
        guard text.utf8.count > Self.scheme.utf8.count, text.prefix(Self.scheme.utf8.count).lowercased() == Self.scheme
        else { throw .invalid(field, "A push endpoint is an https address.") }
        let rest = text.dropFirst(Self.scheme.utf8.count)
        guard !rest.contains("#"), !rest.contains("\\") else {
            throw .invalid(field, "A push endpoint has neither a fragment nor a backslash.")
        }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.contains("@") else { throw .invalid(field, "A push endpoint names no user.") }
        guard let (address, port) = URLHost.split(authority) else {
            throw .invalid(field, "The push endpoint has no host that can be read.")
        }
        guard port == nil || port == 443 else { throw .invalid(field, "A push endpoint is at port 443.") }
        guard case .name(let name) = address, !Self.isNumber(name.text) else {
            throw .invalid(field, "A push endpoint's host is a name, not an address.")
        }
        guard let service = WebPushService.known(name.text) ?? (hosts.contains(name.text) ? .otherService : nil) else {
            throw .invalid(
                field,
                "'\(name.text)' is not the host of a push service that this server pushes to.",
                hint: "For UnifiedPush or a service of your own the operator names the host: webpush.hosts."
            )
        }
        let path = String(rest[end...])
        (host, self.service) = (name.text, service)
        self.path = path.first == "/" ? path : "/" + path
    }

    /// Whether a name's last label begins like a number: resolvers read such names as addresses (WHATWG URL, "ends in a
    /// number").
    private static func isNumber(_ name: String) -> Bool {
        name.split(separator: ".").last?.utf8.first.map { (0x30...0x39).contains($0) } ?? false
    }
}
