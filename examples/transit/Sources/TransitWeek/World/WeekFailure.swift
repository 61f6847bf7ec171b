/// Why the week could not be played.
package struct WeekFailure: Error, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
