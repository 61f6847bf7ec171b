public import Foundation

/// A push as it reaches a phone.
public struct Push: Sendable, Equatable {
    /// The payload, JSON.
    public var payload: Data
    /// The `apns-id`.
    public var apnsID: String?
    /// The `apns-collapse-id`: a push with the id of one that shows replaces it.
    public var collapseID: String?

    public init(payload: Data, apnsID: String? = nil, collapseID: String? = nil) {
        self.payload = payload
        self.apnsID = apnsID
        self.collapseID = collapseID
    }

    /// A push from a payload's text.
    public init(_ payload: String, collapseID: String? = nil) {
        self.init(payload: Data(payload.utf8), collapseID: collapseID)
    }
}
