import HTTPTypes
import Hummingbird
import NIOCore

/// Who asks, as far as a browser tells: the control interface has no key, so a page of another origin must not use it.
struct ControlCaller {
    /// `Host`.
    var host: String?
    /// `Origin`, which a browser sends with what changes something and with what crosses origins.
    var origin: String?
    /// `Sec-Fetch-Site`, which newer browsers send with everything (W3C Fetch Metadata).
    var fetchSite: String?

    /// Whether the caller is no page of another origin.
    ///
    /// - Parameter ownName: what the server was told to bind. Other names are refused, because their owner can make them
    ///   mean this machine (DNS rebinding); nobody can do that with an address.
    func isOwn(ownName: String) -> Bool {
        guard let host = host?.lowercased() else { return false }
        let name = Self.name(in: host)
        guard name == "localhost" || name == ownName.lowercased() || Self.isAddress(name) else { return false }
        if let origin, origin.lowercased() != "http://\(host)" { return false }
        return fetchSite.map { ["same-origin", "none"].contains($0) } ?? true
    }

    /// The host without its port, and an IPv6 address without its brackets.
    private static func name(in host: String) -> String {
        if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
        return String(host.prefix { $0 != ":" })
    }

    private static func isAddress(_ name: String) -> Bool {
        (try? SocketAddress(ipAddress: name, port: 0)) != nil
    }
}

/// Answers 403 to pages of other origins, before anything is read or done.
struct ControlCallerMiddleware: RouterMiddleware {
    let ownName: String

    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let caller = ControlCaller(
            host: request.head.authority,
            origin: request.headers[.origin],
            fetchSite: HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
        )
        guard caller.isOwn(ownName: ownName) else {
            throw ControlError(
                status: .forbidden,
                code: "foreign_origin",
                message: "the control interface is for programs and its own pages",
                hint:
                    "Call it by an address, as localhost or by the --host name, and not from a page of another origin."
            )
        }
        return try await next(request, context)
    }
}
