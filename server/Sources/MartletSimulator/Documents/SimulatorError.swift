/// A setting or a document that the simulator cannot use.
package struct SimulatorError: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    package var message: String
    /// What to do about it.
    package var hint: String?
    /// The member that is wrong.
    package var field: String?

    init(_ message: String, hint: String? = nil, field: String? = nil) {
        self.message = message
        self.hint = hint
        self.field = field
    }

    /// Field, message and hint in one line.
    package var description: String {
        [field.map { "\($0): \(message)" } ?? message, hint].compactMap { $0 }.joined(separator: ". ")
    }
}
