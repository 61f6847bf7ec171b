import Foundation
import MartletCore
import MartletWire

/// What `send` hands to the server: a document from a file or standard input, with what the flags say laid over it.
///
/// The document goes to the server as it is, so that the server names whatever is wrong in it.
struct SendRequest {
    /// The key under which Xcode's simulator files name their app.
    static let simulatorTarget = "Simulator Target Bundle"

    /// The members of the request.
    private(set) var members: [String: JSONValue]

    /// A request without anything.
    init() { members = [:] }

    /// Reads a request's JSON, or an Xcode simulator's push (`.apns`), which has an `aps` of its own.
    ///
    /// - Throws: `CommandFailure` when it is not a JSON object.
    init(json data: Data, from name: String) throws {
        guard case .object(var document) = try InputFile.json(data, from: name) else {
            throw CommandFailure("\(name) is not a JSON object.")
        }
        guard document["aps"] != nil || document[Self.simulatorTarget] != nil else {
            members = document
            return
        }
        members = [:]
        if let target = document.removeValue(forKey: Self.simulatorTarget) { members["app"] = target }
        members["overrides"] = ["apns": ["payload": .object(document)]]
    }

    /// Lays a value over a member; `nil` leaves what is there.
    mutating func set(_ name: String, _ value: JSONValue?) {
        if let value { members[name] = value }
    }

    /// The app that the document or a flag names.
    var app: String? { members["app"]?.stringValue }

    /// Whether it goes to everybody.
    var isForAll: Bool { members["audience"]?.objectValue?["all"] == true }

    /// Whether anybody is named.
    var hasAudience: Bool { members["audience"] != nil }

    /// Names the audience, in place of the document's.
    mutating func set(_ audience: AudienceRequest) throws {
        members["audience"] = try DocumentEncoder.encode(audience)
    }

    /// Adds the app's own values to those of the document.
    mutating func add(data: [String: JSONValue]) {
        guard !data.isEmpty else { return }
        members["data"] = .object((members["data"]?.objectValue ?? [:]).merging(data) { $1 })
    }

    /// Adds what the inbox item has of its own; the document may have said only whether there is one.
    mutating func add(inbox name: String, _ value: JSONValue) {
        members["inbox"] = .object((members["inbox"]?.objectValue ?? [:]).merging([name: value]) { $1 })
    }

    /// Says what only one platform gets, in place of what the document says of it.
    mutating func add(override platform: String, _ value: JSONValue) {
        let known = members["overrides"]?.objectValue ?? [:]
        members["overrides"] = .object(known.merging([platform: value]) { $1 })
    }

    /// Adds something for the filters of a topic's subscribers to look at.
    mutating func add(attribute name: String, _ value: JSONValue) {
        members["attributes"] = .object((members["attributes"]?.objectValue ?? [:]).merging([name: value]) { $1 })
    }

    var document: JSONValue { .object(members) }
}
