public import MartletWire

/// Which endpoints are asked for.
///
/// The endpoints of a platform application are those of its app at its provider whose environment is the application's,
/// or, for the oldest application of an app and provider, is not known. Removed ones do not count.
public enum EndpointSelection: Sendable, Hashable {
    /// One of an app, removed ones too.
    case one(EndpointSelector, of: RowID<App>)
    /// An app's, without the removed ones; those of one user, or all, and of these those that pushes are made to or not.
    case app(RowID<App>, user: String?, isEnabled: Bool?)
    /// One of a platform application.
    case onePlatform(PublicID, of: PlatformApplication)
    /// Those of a platform application.
    case platform(PlatformApplication)
}

/// How an endpoint is found within its app.
public enum EndpointSelector: Sendable, Hashable {
    /// By its key inside the store.
    case row(RowID<Endpoint>)
    /// By its id outside.
    case id(PublicID)
    /// By its token.
    case token(Platform, String)
    /// By the installation that it belongs to: the newest that is not removed.
    case installation(PublicID)
}

/// Which endpoint is changed.
public enum EndpointTarget: Sendable, Hashable {
    /// That of a row.
    case row(RowID<Endpoint>)
    /// That of an id, where it is one of the app's and not removed.
    case id(PublicID, of: RowID<App>)
    /// That of an id, where it is one of the platform application's.
    case platform(PublicID, of: PlatformApplication)
    /// All that an installation has and that are not removed; the newest one is answered.
    case installation(PublicID, of: RowID<App>)
}

/// What is to change about an endpoint; `nil` leaves it.
public struct EndpointUpdate: Sendable {
    /// Enabled, disabled or removed.
    public var status: Endpoint.Status?
    /// Whether pushes are made to it: its switch and, with `true`, also its status, whoever disabled it.
    public var isEnabled: Bool?
    /// Who it belongs to.
    public var owner: Registration.Owner
    /// What the device says about itself, over what is known.
    public var device: DeviceInfo?
    /// Another token; the ``Registrar`` normalizes it. A platform application's endpoint gets its environment with it.
    public var token: String?
    /// What the caller of the SNS interface keeps with it.
    public var customUserData: String?
    /// The device's switch.
    public var hasPush: Bool?

    package init(
        status: Endpoint.Status? = nil,
        isEnabled: Bool? = nil,
        owner: Registration.Owner = .unchanged,
        device: DeviceInfo? = nil,
        token: String? = nil,
        customUserData: String? = nil,
        hasPush: Bool? = nil
    ) {
        self.status = status
        self.isEnabled = isEnabled
        self.owner = owner
        self.device = device
        self.token = token
        self.customUserData = customUserData
        self.hasPush = hasPush
    }

    /// The status that an endpoint gets; `nil` leaves it.
    package func status(of endpoint: Endpoint) -> Endpoint.Status? {
        isEnabled == true && endpoint.status != .enabled ? .enabled : status
    }

    /// Its switch; `nil` leaves it.
    package var pushSwitch: Bool? { isEnabled ?? hasPush }
}
