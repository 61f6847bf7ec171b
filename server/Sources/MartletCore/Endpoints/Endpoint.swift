import Foundation
public import MartletWire

/// Where a push can go; unique by app, platform and token.
public struct Endpoint: Sendable, Hashable {
    /// Whether pushes are made to it.
    public enum Status: Sendable, Hashable {
        /// Pushes are made to it.
        case enabled
        /// It is kept and skipped, for this reason.
        case disabled(DisableReason)
        /// It is gone, for this reason; the row stays for as long as deliveries refer to it.
        case removed(DisableReason)
    }

    /// The key inside the store.
    public var row: RowID<Endpoint>
    /// The id outside.
    public var id: PublicID
    /// Whose it is.
    public var app: RowID<App>
    /// The provider that reaches it.
    public var platform: Platform
    /// The provider's token, in the form in which the provider wants it.
    public var token: String
    /// The provider's environment, once known.
    public var environment: Environment?
    /// The installation that it belongs to, where the SDK registered it.
    public var installation: PublicID?
    /// The user that it belongs to, once known.
    public var user: User?
    /// Whether pushes are made to it.
    public var status: Status
    /// What the device said about itself.
    public var device: DeviceInfo
    /// When it was first seen.
    public var createdAt: Timestamp
    /// When the token was last registered: what a provider says about an earlier time is out of date.
    public var registeredAt: Timestamp
    /// What a client of the SNS interface keeps with it.
    public var customUserData: String?
    /// The device's switch, whoever turned it: the person in the app, their token or a server key. No registration changes it.
    public var hasPush: Bool

    package init(
        row: RowID<Endpoint>,
        id: PublicID,
        app: RowID<App>,
        platform: Platform,
        token: String,
        environment: Environment?,
        installation: PublicID?,
        user: User?,
        status: Status,
        device: DeviceInfo,
        createdAt: Timestamp,
        registeredAt: Timestamp,
        customUserData: String? = nil,
        hasPush: Bool = true
    ) {
        self.row = row
        self.id = id
        self.app = app
        self.platform = platform
        self.token = token
        self.environment = environment
        self.installation = installation
        self.user = user
        self.status = status
        self.device = device
        self.createdAt = createdAt
        self.registeredAt = registeredAt
        self.customUserData = customUserData
        self.hasPush = hasPush
    }

    /// Whether it was not removed.
    package var isThere: Bool { if case .removed = status { false } else { true } }

    /// Whether pushes are made to it.
    public var isEnabled: Bool { status == .enabled && hasPush }

    /// The operating system, as it was said or as its provider makes it likely.
    package var system: EventPlatform { device.system ?? EventPlatform(mostlyAt: platform) }

    /// Why not, in the words of a send that passes it by; `nil` where they are.
    package var disableReason: DisableReason? {
        switch status {
        case .removed(let reason): reason
        case _ where !hasPush: .switchedOff
        case .disabled(let reason): reason
        case .enabled: nil
        }
    }
}

/// Why an endpoint is skipped or gone: a word of ours, or the provider's reason as it came.
public struct DisableReason: Sendable, Hashable, RawRepresentable {
    /// The word.
    public var rawValue: String
    /// A reason by its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Somebody asked for it through the API.
    public static let byRequest = DisableReason(rawValue: "by_request")
    /// It is switched off.
    public static let switchedOff = DisableReason(rawValue: Suppression.Reason.deviceOff.rawValue)
    /// Another endpoint took its place: the token rotated.
    public static let replaced = DisableReason(rawValue: "replaced")
    /// It was not registered again for longer than the stale limit.
    public static let stale = DisableReason(rawValue: "stale")

    /// Whether the provider said it.
    package var isOfProvider: Bool { ![.byRequest, .switchedOff, .replaced, .stale].contains(self) }
}

/// What a device says about itself when it registers; all of it is optional and shown to operators.
public struct DeviceInfo: Sendable, Hashable, Codable {
    /// The operating system's family.
    public var system: EventPlatform?
    /// The hardware, such as `iPhone16,1`.
    public var model: String?
    /// The operating system's version.
    public var osVersion: String?
    /// The app's version.
    public var appVersion: String?
    /// The language and region, such as `ja-JP`.
    public var locale: String?
    /// The IANA time zone, such as `Asia/Tokyo`.
    public var timeZone: String?
    /// What the person allowed the app to show.
    public var permission: PermissionName?

    package init(
        system: EventPlatform? = nil,
        model: String? = nil,
        osVersion: String? = nil,
        appVersion: String? = nil,
        locale: String? = nil,
        timeZone: String? = nil,
        permission: PermissionName? = nil
    ) {
        self.system = system
        self.model = model
        self.osVersion = osVersion
        self.appVersion = appVersion
        self.locale = locale
        self.timeZone = timeZone
        self.permission = permission
    }

    /// The most bytes of a value: a bound of ours on what a client may store.
    package static let limit = 100

    /// Checks that no value is longer than ``limit``, and that the time zone is one.
    public func validate() throws(Failure) {
        let values = [
            ("device_model", model), ("os_version", osVersion), ("app_version", appVersion), ("locale", locale),
            ("time_zone", timeZone),
        ]
        for (field, value) in values where (value?.utf8.count ?? 0) > Self.limit {
            throw .invalid(field, "This value has at most \(Self.limit) bytes.")
        }
        guard hasKnownTimeZone else {
            throw .invalid("time_zone", "This is not a time zone.", hint: "Send an IANA name, such as Asia/Tokyo.")
        }
    }

    /// Whether the time zone, where there is one, is one.
    package var hasKnownTimeZone: Bool { timeZone.map { TimeZone(identifier: $0) != nil } ?? true }

    /// The same, of which a device's time zone that is none is not taken.
    package func withKnownTimeZone() -> DeviceInfo {
        var known = self
        if !hasKnownTimeZone { known.timeZone = nil }
        return known
    }

    /// These values, with the gaps filled from `older`.
    public func merged(over older: DeviceInfo) -> DeviceInfo {
        DeviceInfo(
            system: system ?? older.system,
            model: model ?? older.model,
            osVersion: osVersion ?? older.osVersion,
            appVersion: appVersion ?? older.appVersion,
            locale: locale ?? older.locale,
            timeZone: timeZone ?? older.timeZone,
            permission: permission ?? older.permission
        )
    }
}
