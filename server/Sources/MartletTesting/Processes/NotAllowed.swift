/// The machine does not allow what a test would do to it, such as mounting a file system.
public struct NotAllowed: Error, CustomStringConvertible {
    /// What the system says.
    public var description: String

    /// A refusal in the system's words.
    public init(description: String) { self.description = description }
}
