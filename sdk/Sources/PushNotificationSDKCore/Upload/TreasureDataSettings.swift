package import Foundation

/// Where seed S4's apps keep their table: the keys of their `Info.plist`.
package struct TreasureDataSettings: Sendable, Equatable {
    /// `TDWriteKey`: a write-only key.
    package let writeKey: String
    /// `TDEndpoint`: the address of the ingest interface, without database and table.
    package let endpoint: URL
    /// How records are put into requests.
    package let form: Form
    /// `TDDatabase`.
    package let database: String
    /// `TDTable`.
    package let table: String

    /// How records are put into requests.
    package enum Form: Sendable, Equatable {
        /// Up to 500 records, each with its receipt.
        case ingest
        /// The older form: one record, and 200 whatever happens to it.
        case postback
    }

    private static let postbackHost = "in.treasuredata.com"
    private static let postbackPath = "/postback/v3/event"

    /// The regions whose name alone may stand in `TDEndpoint`.
    private static let regions: Set<String> = ["us01", "eu01", "ap01", "ap02", "ap03"]

    /// Reads the settings of an app.
    ///
    /// - Parameter information: the app's `Info.plist`. The endpoint is an https address, a host, or a region such as
    ///   `ap01`; absent it is `us01`. An address that ends with `/postback/v3/event`, and the host `in.treasuredata.com`,
    ///   take the older form. Database and table default to the names of the guide's queries.
    /// - Returns: `nil` when there is no key.
    /// - Throws: ``PushNotificationError/invalidConfiguration(_:)`` naming what cannot be used, without its value.
    package init?(_ information: [String: Any]?) throws(PushNotificationError) {
        guard let key = try Self.text("TDWriteKey", in: information) else { return nil }
        guard key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidConfiguration("TDWriteKey in the Info.plist must have only printable ASCII and no spaces")
        }
        writeKey = key
        guard let endpoint = Self.endpoint(try Self.text("TDEndpoint", in: information) ?? "us01") else {
            throw .invalidConfiguration("TDEndpoint in the Info.plist must be a region, a host or an https address")
        }
        (self.endpoint, form) = Self.form(of: endpoint)
        database = try Self.name("TDDatabase", in: information) ?? "mobile"
        table = try Self.name("TDTable", in: information) ?? "push_events"
    }

    /// The text under a key; an empty one stands for none.
    private static func text(
        _ key: String,
        in information: [String: Any]?
    ) throws(PushNotificationError) -> String? {
        guard let value = information?[key] else { return nil }
        guard let text = value as? String else {
            throw .invalidConfiguration("\(key) in the Info.plist must be a text")
        }
        return text.isEmpty ? nil : text
    }

    /// Where a batch is posted.
    package var url: URL { endpoint.appendingPathComponent(database).appendingPathComponent(table) }

    private static func form(of endpoint: URL) -> (URL, Form) {
        if endpoint.path.hasSuffix(postbackPath) { return (endpoint, .postback) }
        guard endpoint.host?.lowercased() == postbackHost, ["", "/"].contains(endpoint.path) else {
            return (endpoint, .ingest)
        }
        return (endpoint.appendingPathComponent(String(postbackPath.dropFirst())), .postback)
    }

    private static func endpoint(_ text: String) -> URL? {
        if regions.contains(text) { return URL(string: "https://\(text).records.in.treasuredata.com") }
        let address = text.contains("://") ? text : "https://\(text)"
        guard let url = URL(string: address), url.scheme?.lowercased() == "https", url.host?.isEmpty == false,
            url.user == nil, url.password == nil, url.query == nil, url.fragment == nil
        else { return nil }
        return url
    }

    /// Names of databases and tables are lower-case letters, digits and underscores.
    private static func name(
        _ key: String,
        in information: [String: Any]?
    ) throws(PushNotificationError) -> String? {
        guard let text = try text(key, in: information) else { return nil }
        let isName = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
        }
        guard isName, text.utf8.count <= 255 else {
            throw .invalidConfiguration("\(key) in the Info.plist must have lower-case letters, digits and underscores")
        }
        return text
    }
}

extension TreasureDataSettings: CustomStringConvertible, CustomReflectable {
    /// The settings without the key.
    package var description: String { "TreasureDataSettings(\(url.absoluteString))" }

    /// The settings without the key.
    package var customMirror: Mirror { Mirror(self, children: ["url": url], displayStyle: .struct) }
}
