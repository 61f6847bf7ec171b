public import MartletWire

/// What Amazon SNS calls an app with one platform and one environment: the part of an app that its clients see.
///
/// One that was made through the SNS interface has an app of its own. Every other credential for APNs or FCM is one too:
/// it has the app's name and is in the server's own region.
public struct PlatformApplication: Sendable, Hashable {
    /// SNS's word for a platform and its environment (Amazon SNS, CreatePlatformApplication and the reserved attributes of
    /// Publish).
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case apns = "APNS"
        case apnsSandbox = "APNS_SANDBOX"
        case voIP = "APNS_VOIP"
        case voIPSandbox = "APNS_VOIP_SANDBOX"
        case passbook = "APNS_PASSBOOK"
        case passbookSandbox = "APNS_PASSBOOK_SANDBOX"
        case mdm = "APNS_MDM"
        case mdmSandbox = "APNS_MDM_SANDBOX"
        case mac = "MACOS"
        case macSandbox = "MACOS_SANDBOX"
        /// What Amazon calls FCM, by the name of the service before it.
        case gcm = "GCM"
        /// The same under FCM's own name, which Amazon takes as well.
        case fcm = "FCM"
        case adm = "ADM"
        case baidu = "BAIDU"
        case mpns = "MPNS"
        case wns = "WNS"
    }

    /// The key inside the store.
    public var row: RowID<PlatformApplication>
    /// The app that it is a part of.
    public var app: RowID<App>
    /// That app's id outside.
    public var appID: PublicID
    /// Its platform and environment.
    public var kind: Kind
    /// The region that it was made in; `nil` is the server's own, for what was not made through SNS.
    public var region: String?
    /// Its name; the app's for what was not made through SNS.
    public var name: String
    /// Whether somebody may publish to its endpoints.
    public var isEnabled: Bool
    /// What was set about it, by name, without secrets; only whoever set it knows what it means.
    public var attributes: [String: String]
    /// What it was given to authenticate with, sealed by the vault for ``purpose(app:kind:)``; `nil` where nothing was.
    public var sealed: [UInt8]?
    /// When it was made.
    public var createdAt: Timestamp

    package init(
        row: RowID<PlatformApplication>,
        app: RowID<App>,
        appID: PublicID,
        kind: Kind,
        region: String?,
        name: String,
        isEnabled: Bool,
        attributes: [String: String],
        sealed: [UInt8]?,
        createdAt: Timestamp
    ) {
        self.row = row
        self.app = app
        self.appID = appID
        self.kind = kind
        self.region = region
        self.name = name
        self.isEnabled = isEnabled
        self.attributes = attributes
        self.sealed = sealed
        self.createdAt = createdAt
    }

    /// Where its pushes are queued, and what its credential is for.
    public var queue: DeliveryQueue { DeliveryQueue(app: app, platform: kind.platform, environment: kind.environment) }

    /// What its secrets are sealed for.
    public static func purpose(app: PublicID, kind: Kind) -> String { "platform-application/\(app)/\(kind.rawValue)" }
}

extension PlatformApplication.Kind {
    /// The provider that reaches it. What this server has no provider for is kept as FCM is, whose tokens are texts as
    /// well: without a credential nothing is sent.
    public var platform: Platform { isApple ? .apns : .fcm }

    /// The provider's environment.
    public var environment: Environment { rawValue.hasSuffix("_SANDBOX") ? .sandbox : .production }

    /// Whether Apple's service reaches it.
    public var isApple: Bool { rawValue.hasPrefix("APNS") || rawValue.hasPrefix("MACOS") }

    /// Whether Google's service reaches it.
    public var isGoogle: Bool { self == .gcm || self == .fcm }

    /// The push type that its pushes have when they name none; `nil` where the payload says it.
    public var pushType: String? {
        switch self {
        case .voIP, .voIPSandbox: "voip"
        case .mdm, .mdmSandbox: "mdm"
        default: nil
        }
    }

    /// The kind of what has a credential and was not made through SNS; `nil` for what SNS does not know.
    public init?(_ queue: DeliveryQueue) {
        switch (queue.platform, queue.environment) {
        case (.apns, .production): self = .apns
        case (.apns, .sandbox): self = .apnsSandbox
        case (.fcm, .production): self = .gcm
        case (.apns, _), (.fcm, _), (.webpush, _): return nil
        }
    }
}

/// How a platform application is called.
public struct PlatformApplicationName: Sendable, Hashable {
    /// Its platform and environment.
    public var kind: PlatformApplication.Kind
    /// The region.
    public var region: String
    /// Whether that is the server's own, where the apps are that were not made through SNS.
    public var isHome: Bool
    /// Its name.
    public var name: String

    package init(kind: PlatformApplication.Kind, region: String, isHome: Bool, name: String) {
        self.kind = kind
        self.region = region
        self.isHome = isHome
        self.name = name
    }

    /// The name of the app that is made for it: the first that is free of this name, this name with the platform, and that
    /// with a number.
    ///
    /// - Parameter isTaken: whether there is an app of a name.
    public func appName(isTaken: (String) throws -> Bool) rethrows -> String {
        if (try? App.validate(name: name)) != nil, try !isTaken(name) { return name }
        // With the platform, 22 bytes at most, and a number this stays below an app's 100.
        let stem = "\(name.prefix(64))-\(kind.rawValue)"
        var (candidate, number) = (stem, 1)
        while try isTaken(candidate) {
            number += 1
            candidate = "\(stem)-\(number)"
        }
        return candidate
    }
}

/// A platform application on its way into the store.
public struct PlatformApplicationDraft: Sendable {
    /// How it is called.
    public var name: PlatformApplicationName
    /// The id of the app that is made for it: what its secrets are sealed for.
    public var appID: PublicID
    /// Whether somebody may publish to its endpoints.
    public var isEnabled: Bool
    /// What is set about it, without secrets.
    public var attributes: [String: String]
    /// What it was given to authenticate with, sealed.
    public var sealed: [UInt8]?
    /// The checked and sealed credential of its queue.
    public var credential: StoredCredentialDraft?

    package init(
        name: PlatformApplicationName,
        appID: PublicID,
        isEnabled: Bool = true,
        attributes: [String: String] = [:],
        sealed: [UInt8]? = nil,
        credential: StoredCredentialDraft? = nil
    ) {
        self.name = name
        self.appID = appID
        self.isEnabled = isEnabled
        self.attributes = attributes
        self.sealed = sealed
        self.credential = credential
    }
}

/// What is to change about a platform application; `nil` leaves it.
public struct PlatformApplicationUpdate: Sendable {
    /// Whether somebody may publish to its endpoints.
    public var isEnabled: Bool?
    /// Of each name the value that it gets, `nil` takes it away; others stay.
    public var attributes: [String: String?]
    /// What it is given to authenticate with, sealed.
    public var sealed: [UInt8]?
    /// Another credential in place of its queue's.
    public var credential: StoredCredentialDraft?

    package init(
        isEnabled: Bool? = nil,
        attributes: [String: String?] = [:],
        sealed: [UInt8]? = nil,
        credential: StoredCredentialDraft? = nil
    ) {
        self.isEnabled = isEnabled
        self.attributes = attributes
        self.sealed = sealed
        self.credential = credential
    }
}

/// What asking for a platform application came to.
public struct CreatedPlatformApplication: Sendable, Hashable {
    /// The application: the new one, or the one that had the name, as it was.
    public var application: PlatformApplication
    /// Whether it is new.
    public var isNew: Bool

    package init(application: PlatformApplication, isNew: Bool) {
        self.application = application
        self.isNew = isNew
    }
}
