public import MartletWire

/// Which apps are asked for.
public enum AppSelection: Sendable, Hashable {
    case one(AppSelector)
    case all
}

/// How an app is found.
public enum AppSelector: Sendable, Hashable {
    /// By its key inside the store.
    case row(RowID<App>)
    /// By its id outside.
    case id(PublicID)
    /// By its name.
    case name(String)
    /// By the issuer and one of the audiences of a user token.
    case identity(issuer: String, audiences: [String])
}
