import Hummingbird
import MartletCore
import MartletPipeline
import MartletWire
import NIOCore

/// An operator who is signed in, in one browser.
struct ConsoleSession: Sendable {
    var session: OperatorSession
    var secret: SessionSecret

    var owner: Operator { session.owner }
}

/// A request to the console, as far as it is read before its route answers.
struct ConsoleCall: Sendable {
    /// Who asks; always there where the route wants an operator.
    var session: ConsoleSession?
    /// How many problems there are, for the menu.
    var problems = 0
    var texts: Texts
    /// The path that was asked for, with its query.
    var uri: String
    var query: FormValues
    var form: FormValues
    /// The path's parameters by name.
    var parameters: [String: String]
    /// Where the browser is.
    var browser: OperatorService.Browser
    /// The connection, for an answer that goes on.
    var connection: any Channel
    /// What a browser had last of an answer that goes on, when it comes again.
    var lastEventID: String?

    /// A parameter of the path.
    func parameter(_ name: String) -> String { parameters[name] ?? "" }

    /// The id in the path.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``.
    func id(_ name: String = "id", of what: String) throws(Failure) -> PublicID {
        guard let id = PublicID(parameter(name)) else { throw .notFound(what) }
        return id
    }

    /// Who asks.
    ///
    /// - Throws: `Failure` where nobody is signed in.
    func owner() throws(Failure) -> Operator {
        guard let session else { throw Failure(.unauthorized, "Nobody is signed in.") }
        return session.owner
    }

    /// Whether who asks may do this.
    func may(_ act: OperatorAct) -> Bool { session?.owner.role.may(act) ?? false }
}
