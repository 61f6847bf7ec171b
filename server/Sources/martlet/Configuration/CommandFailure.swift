import Foundation
import MartletCore
import MartletTransport
import MartletWire
import NIOCore

/// Why a command could not do what it was told, for the person in front of it.
struct CommandFailure: Error {
    /// What the process returns.
    enum Status: Int32, Sendable {
        /// It was refused, or did not come out as asked.
        case failed = 1
        /// It was told wrongly (`EX_USAGE` of sysexits.h).
        case usage = 64
        /// The server is not there (`EX_UNAVAILABLE` of sysexits.h).
        case unavailable = 69
        /// The caller interrupted it: 128 and SIGINT's number, as shells report it.
        case interrupted = 130
    }

    /// The code, message, hint and field.
    var detail: ErrorBody.Detail
    /// What the process returns.
    var status: Status

    /// A failure that a server or the domain put into words.
    init(_ detail: ErrorBody.Detail, status: Status = .failed) {
        self.detail = detail.inCommands
        self.status = status
    }

    /// A failure of the command line, the settings or a file.
    init(_ message: String, hint: String? = nil, status: Status = .usage) {
        detail = ErrorBody.Detail(code: ErrorCode(rawValue: "command_failed"), message: message, hint: hint)
        self.status = status
    }
}

extension CommandFailure {
    /// Something that is deleted only with `--yes`.
    static func notDeleted(_ what: String) -> CommandFailure {
        CommandFailure("Nothing was deleted.", hint: "Add --yes to delete \(what).")
    }

    /// Something that does not listen where it was told to, or does not start for another reason.
    ///
    /// - Parameters:
    ///   - what: the sentence's beginning, such as *The simulator cannot start*.
    ///   - ports: the flags that pick another port.
    static func notStarted(_ what: String, _ error: any Error, ports: String) -> CommandFailure {
        let hint: String? =
            switch (error as? IOError)?.errnoCode ?? 0 {
            case EADDRINUSE: "Another program has the port. 0 picks a free one: \(ports)"
            case EADDRNOTAVAIL: "--host is an address of this machine, or 0.0.0.0 for all of them."
            default: nil
            }
        return CommandFailure("\(what): \(ConnectionErrorText.text(of: error)).", hint: hint, status: .failed)
    }

    /// The failure as it is read: the message with its code, then the field and the hint.
    var lines: [String] {
        var lines = ["error: \(detail.message) [\(detail.code.rawValue)]"]
        if let field = detail.field { lines.append("field: \(field)") }
        if let hint = detail.hint { lines.append("hint:  \(hint)") }
        return lines.map(TextWidth.printable)
    }
}
