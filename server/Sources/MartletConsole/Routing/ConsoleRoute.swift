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
        _ answer: @escaping @Sendable (ConsoleCall) async throws -> ConsoleReply
    ) -> ConsoleRoute {
        ConsoleRoute(method: .post, path: path, access: .operators(act), takesFile: takesFile, answer: answer)
    }
}
