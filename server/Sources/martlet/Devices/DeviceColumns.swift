import Foundation
import MartletWire

/// The columns of a table of devices, as its first line names them.
struct DeviceColumns {
    /// What a column may be called: the fields of `POST /api/v1/devices`.
    static let names = DeviceRequest.CodingKeys.allCases.map(\.rawValue)

    /// The most bytes of a line: two tokens of 4,096 bytes, and everything else that is said of a device.
    static let lineLimit = 16 << 10

    private let columns: [String]

    /// Columns in the order of a header.
    ///
    /// - Throws: `CommandFailure` when it names what no device has, or does not name what each must have.
    init(_ header: FileLines.Line) throws {
        guard !header.isTooLong else { throw Self.refusal("is too long to name columns.") }
        do {
            columns = try CSVLine.fields(header.bytes).map(Self.name)
        } catch {
            throw Self.refusal("names no columns. \(error.detail.message)")
        }
        for (index, name) in columns.enumerated() {
            guard Self.names.contains(name) else { throw Self.refusal("has an unknown column, '\(name)'.") }
            guard !columns[..<index].contains(name) else { throw Self.refusal("names the column '\(name)' twice.") }
        }
        for key in [DeviceRequest.CodingKeys.token, .userID] where !columns.contains(key.rawValue) {
            throw Self.refusal("has no column '\(key.rawValue)'.")
        }
    }

    /// The device of a line; an empty field says nothing, and spaces around a field are none of it.
    ///
    /// - Parameter app: the app of a line that names none.
    /// - Throws: `CommandFailure` when the line has not the columns' fields.
    func device(_ line: FileLines.Line, app: String?) throws(CommandFailure) -> JSONValue {
        guard !line.isTooLong else { throw .unreadableLine("A line has at most \(Self.lineLimit) bytes.") }
        let fields = try CSVLine.fields(line.bytes)
        guard fields.count == columns.count else {
            throw .unreadableLine("The number of fields is \(fields.count), and that of columns \(columns.count).")
        }
        var device: [String: JSONValue] = [:]
        if let app { device[DeviceRequest.CodingKeys.app.rawValue] = .string(app) }
        for (name, field) in zip(columns, fields) {
            let field = field.trimmingCharacters(in: .whitespaces)
            if !field.isEmpty { device[name] = .string(field) }
        }
        return .object(device)
    }

    private static func name(_ field: String) -> String {
        let name = field.trimmingCharacters(in: .whitespaces).lowercased()
        return name == "user" ? DeviceRequest.CodingKeys.userID.rawValue : name
    }

    private static func refusal(_ message: String) -> CommandFailure {
        CommandFailure(
            "The first line \(message)",
            hint: "It names the columns, separated by commas: \(names.joined(separator: ", "))."
        )
    }
}
