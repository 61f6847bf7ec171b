/// A setting or a document that the simulator cannot use.
public struct SimulatorError: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public var message: String
    /// What to do about it.
    public var hint: String?
    /// The member that is wrong.
    public var field: String?

    init(_ message: String, hint: String? = nil, field: String? = nil) {
        self.message = message
        self.hint = hint
        self.field = field
    }

    /// Field, message and hint in one line.
    public var description: String {
        [field.map { "\($0): \(message)" } ?? message, hint].compactMap { $0 }.joined(separator: ". ")
    }
}
