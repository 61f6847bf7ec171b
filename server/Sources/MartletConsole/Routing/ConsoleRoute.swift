import HTTPTypes
import MartletCore

/// One path of the console and what answers it.
struct ConsoleRoute: Sendable {
    /// Who may ask.
    enum Access: Sendable, Hashable {
        /// Anybody.
        case open
        /// Operators whose role may do this.
        case operators(OperatorAct)
    }

    var method: HTTPRequest.Method
    /// Below `/console`, with parameters in braces.
    var path: String
    var access: Access
    /// Whether its form may have a file.
    var takesFile = false
    /// The path of the page that its form stands on, with the same parameters; `nil` is the nearest page above.
    var page: String?
    var answer: @Sendable (ConsoleCall) async throws -> ConsoleReply

    /// A page.
    static func get(
        _ path: String,
        _ act: OperatorAct,
        _ answer: @escaping @Sendable (ConsoleCall) async throws -> ConsoleReply
    ) -> ConsoleRoute {
        ConsoleRoute(method: .get, path: path, access: .operators(act), answer: answer)
    }

    /// A form's action.
    static func post(
        _ path: String,
        _ act: OperatorAct,
        takesFile: Bool = false,
        page: String? = nil,
        _ answer: @escaping @Sendable (ConsoleCall) async throws -> ConsoleReply
    ) -> ConsoleRoute {
        ConsoleRoute(
            method: .post,
            path: path,
            access: .operators(act),
            takesFile: takesFile,
            page: page,
            answer: answer
        )
    }
}

extension ConsoleRoute {
    /// Its path on the server.
    var place: String { path == "/" ? "/console" : "/console" + path }

    /// The page that a form's path leads to, among those that there are: who loads the answer to a form again, or changes its
    /// language, asks for that path as for a page.
    func page(among pages: Set<String>) -> String {
        if let page { return page }
        let parts = path.split(separator: "/")
        let above = parts.indices.reversed().lazy.map { "/" + parts[..<$0].joined(separator: "/") }
        return above.first(where: pages.contains) ?? "/"
    }
}

extension ConsoleCall {
    /// A page's address with the parameters and the query of this path.
    func address(of page: String) -> String {
        let parts = page.split(separator: "/").map { part in
            part.hasPrefix("{") ? Link.escaped(parameter(String(part.dropFirst().dropLast()))) : String(part)
        }
        let query = uri.split(separator: "?", maxSplits: 1).dropFirst().map { "?\($0)" }.joined()
        return (["/console"] + parts).joined(separator: "/") + query
    }
}
