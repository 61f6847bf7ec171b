import MartletCore
import MartletWire

/// A rule of a conformance suite that was broken.
public struct Violation: Error, Sendable, CustomStringConvertible {
    /// What was expected, what was found, and where it was looked for.
    public let description: String
}

/// Checks that something holds.
func expect(
    _ condition: Bool,
    _ what: @autoclosure () -> String,
    line: Int = #line,
    file: String = #fileID
) throws {
    guard condition else { throw Violation(description: "\(what()) (\(file):\(line))") }
}

/// Checks that two values are the same.
func expect<Value: Equatable>(
    _ found: Value,
    is expected: Value,
    _ what: @autoclosure () -> String,
    line: Int = #line,
    file: String = #fileID
) throws {
    let text = "\(what()): found \(found), expected \(expected) (\(file):\(line))"
    guard found == expected else { throw Violation(description: text) }
}

/// The value of something that must be there.
func unwrap<Value>(
    _ value: Value?,
    _ what: @autoclosure () -> String,
    line: Int = #line,
    file: String = #fileID
) throws -> Value {
    guard let value else { throw Violation(description: "no \(what()) (\(file):\(line))") }
    return value
}

/// Checks that something is refused with a code.
func expectRefusal(
    _ code: ErrorCode,
    _ what: String,
    line: Int = #line,
    file: String = #fileID,
    _ body: () async throws -> Void
) async throws {
    do {
        try await body()
    } catch let failure as Failure {
        return try expect(failure.code, is: code, what, line: line, file: file)
    }
    throw Violation(description: "\(what): not refused (\(file):\(line))")
}
