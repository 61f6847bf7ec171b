package import Foundation

/// Where seed S4's apps keep their table: the keys of their `Info.plist`.
package struct TreasureDataSettings: Sendable, Equatable {
    /// `TDWriteKey`: a write-only key.
    package let writeKey: String
    /// `TDEndpoint`: the address of the ingest interface, without database and table.
    package let endpoint: URL
    /// `TDDatabase`.
    package let database: String
    /// `TDTable`.
    package let table: String

    /// The regions whose name alone may stand in `TDEndpoint`.
    private static let regions: Set<String> = ["us01", "eu01", "ap01", "ap02", "ap03"]

    /// Reads the settings of an app.
    ///
    /// - Parameter information: the app's `Info.plist`. The endpoint is an https address, a host, or a region such as
    ///   `ap01`; absent it is `us01`. Database and table default to the names of the guide's queries.
    /// - Returns: `nil` when there is no key, or something that cannot be part of an address.
    package init?(_ information: [String: Any]?) {
        let text = { (key: String) -> String? in
            (information?[key] as? String).flatMap { $0.isEmpty ? nil : $0 }
        }
        guard let key = text("TDWriteKey"), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let endpoint = Self.endpoint(text("TDEndpoint") ?? "us01"),
            let database = Self.name(text("TDDatabase") ?? "mobile"),
            let table = Self.name(text("TDTable") ?? "push_events")
        else { return nil }
        writeKey = key
        self.endpoint = endpoint
        self.database = database
        self.table = table
    }

    /// Where a batch is posted.
    package var url: URL { endpoint.appendingPathComponent(database).appendingPathComponent(table) }

    private static func endpoint(_ text: String) -> URL? {
        if regions.contains(text) { return URL(string: "https://\(text).records.in.treasuredata.com") }
        let address = text.contains("://") ? text : "https://\(text)"
        guard let url = URL(string: address), url.scheme?.lowercased() == "https", url.host?.isEmpty == false,
            url.user == nil, url.password == nil, url.query == nil, url.fragment == nil
        else { return nil }
        return url
    }

    /// Names of databases and tables are lower-case letters, digits and underscores.
    private static func name(_ text: String) -> String? {
        let isName = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
        }
        return isName && text.utf8.count <= 255 ? text : nil
    }
}

extension TreasureDataSettings: CustomStringConvertible, CustomReflectable {
    /// The settings without the key.
    package var description: String { "TreasureDataSettings(\(url.absoluteString))" }

    /// The settings without the key.
    package var customMirror: Mirror { Mirror(self, children: ["url": url], displayStyle: .struct) }
}
