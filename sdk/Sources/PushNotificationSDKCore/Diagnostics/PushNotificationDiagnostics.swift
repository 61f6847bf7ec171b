public import Foundation

/// Why pushes come to this device or do not, as far as the device can know: what the SDK has at hand when it is asked.
///
/// It holds no API key, no installation's secret and no user token. The users are named, and the device token is whole;
/// ``text`` names the present user only, and shortens the token.
public struct PushNotificationDiagnostics: Sendable, Equatable {
    /// When it was gathered.
    public internal(set) var date: Date
    /// The server's address.
    public internal(set) var apiURL: URL
    /// Whether the SDK's files can be read: not before the device's first unlock.
    public internal(set) var isStorageReadable = true
    /// The id by which the server knows this install.
    public internal(set) var installationID: String?
    /// The device token that Apple gave last, in hexadecimal.
    public internal(set) var deviceToken: String?
    /// Whether that token is of this launch: no other one is registered.
    public internal(set) var isDeviceTokenFresh = false
    /// Whether the install is reached through Firebase, by a token that the app handed over.
    public internal(set) var usesFirebase = false
    /// Which of Apple's two worlds the token is of, as the server found out, or else as configured.
    public internal(set) var environment: APNsEnvironment?
    /// What the person allows.
    public internal(set) var permission = NotificationPermission.notDetermined
    /// When the server took the registration, in this launch; `nil` where it has not.
    public internal(set) var registeredAt: Date?
    /// Whether the server makes pushes to the device, as it said then.
    public internal(set) var isActive: Bool?
    /// The user who is logged in.
    public internal(set) var user: String?
    /// Whether somebody logged in or out on this install.
    public internal(set) var isUserSet = false
    /// Whether a token spoke for the user at the login: another launch needs one to name the user again.
    public internal(set) var needsUserToken = false
    /// Whether there is a token that speaks for the user.
    public internal(set) var hasUserToken = false
    /// Whom the server may take for the device's owner: one where it acknowledged them, nobody where that is empty, two
    /// where its answer was lost; `nil` where it has said nothing yet.
    public internal(set) var owners: [String]?
    /// Whether ``SDKConfiguration/automaticForwarding`` is on.
    public internal(set) var automaticForwarding = true
    /// Who hears the system's calls to the application's delegate: the device token, and pushes that wake the app.
    public internal(set) var applicationDelegate = Forwarding.noDelegate
    /// Who hears those to the notification center's delegate: notifications in front, and taps.
    public internal(set) var centerDelegate = Forwarding.noDelegate
    /// Whether the app is told of notifications, by ``PushNotificationSDK/onNotificationReceived`` or a stream.
    public internal(set) var hasNotificationHandler = false
    /// Whether events are recorded: the person's consent.
    public internal(set) var isTrackingEnabled = true
    /// The events that wait for the server.
    public internal(set) var eventQueue: PushNotificationSDK.EventQueue?
    /// The last answers, errors and pushes of this launch, oldest first; at most 50.
    public internal(set) var history: [Entry] = []
}

extension PushNotificationDiagnostics {
    /// Who hears the system's calls to a delegate.
    public enum Forwarding: String, Sendable, Hashable, CaseIterable {
        /// Nobody: there is no delegate.
        case noDelegate
        /// The SDK: the delegate is of its class, or of one below it.
        case sdk
        /// The app's own delegate, which was given the SDK's methods.
        case automatic
        /// The app's own delegate, and not the SDK: what it was given is gone, because another SDK or the app put
        /// something in its place.
        case removed
        /// The app's own delegate, which forwards by hand, or not at all.
        case app

        /// - Parameters:
        ///   - isOfSDK: whether the delegate is of the SDK's class; `nil` where there is none.
        ///   - hasMethods: whether the delegate has the SDK's methods.
        ///   - hadMethods: whether it had them before, or another one in its place.
        package init(isOfSDK: Bool?, hasMethods: Bool, hadMethods: Bool) {
            self =
                switch isOfSDK {
                case nil: .noDelegate
                case true?: .sdk
                case false?: hasMethods ? .automatic : hadMethods ? .removed : .app
                }
        }
    }

    /// Something that happened.
    public struct Entry: Sendable, Equatable {
        /// When, by the device's clock.
        public let date: Date
        /// What.
        public let event: Event
    }

    /// What happened.
    public enum Event: Sendable, Equatable {
        /// A server answered a request, which is its method and path. The code is the server's word for a refusal.
        case answer(request: String, status: Int, code: String?)
        /// No server answered a request.
        case noAnswer(request: String, error: PushNotificationError)
        /// ``PushNotificationSDK/onError`` was told.
        case error(PushNotificationError)
        /// A push reached the SDK.
        case push(Push)
    }

    /// A push that reached the SDK, without what it says.
    public struct Push: Sendable, Equatable {
        /// How it did.
        public let arrival: Arrival
        /// The id by which it is counted.
        public let messageID: String?
        /// Whether it has an id, so that events count it.
        public let isCounted: Bool
        /// Whether the app's handlers are told of it: of every push but another vendor's.
        public let isHandled: Bool
    }

    /// How a push reached the SDK.
    public enum Arrival: String, Sendable, Hashable, CaseIterable {
        /// It came while the app was in front.
        case inFront
        /// It woke the app.
        case woke
        /// It was tapped.
        case tapped
        /// One of its buttons was tapped.
        case buttonTapped
        /// It was dismissed.
        case dismissed
    }
}

extension PushNotificationDiagnostics {
    /// What keeps pushes from coming, from being told of or from being counted.
    public enum Problem: String, Sendable, Hashable, CaseIterable {
        /// Nobody has unlocked the device since it was started.
        case deviceLocked
        /// The person does not allow notifications, or was not asked.
        case permissionMissing
        /// A delegate does not have the SDK's methods any more.
        case delegateReplaced
        /// The device token does not come, and nothing shows that the app's delegate forwards it.
        case notForwarded
        /// The system gave no device token in this launch.
        case deviceTokenMissing
        /// The server has not taken the registration in this launch.
        case notRegistered
        /// Pushes to the device are off at the server.
        case switchedOff
        /// There is no token that speaks for the user, whom the server does not have as the device's owner.
        case userTokenMissing
        /// The server does not have the user as the device's owner.
        case anotherOwner
        /// No handler is told of notifications.
        case noHandler
        /// A push was another vendor's.
        case pushOfAnotherVendor
        /// A push had no id to be counted by.
        case pushWithoutID
    }

    /// What is wrong, the gravest first; empty where the device knows of nothing.
    public var problems: [Problem] { Problem.allCases.filter(has) }

    private func has(_ problem: Problem) -> Bool {
        switch problem {
        case .deviceLocked: !isStorageReadable
        case .permissionMissing: !permission.isAllowed
        case .delegateReplaced: applicationDelegate == .removed || centerDelegate == .removed
        case .notForwarded: isTokenMissing && (applicationDelegate == .app || applicationDelegate == .noDelegate)
        case .deviceTokenMissing: isTokenMissing
        case .notRegistered: !isTokenMissing && registeredAt == nil
        case .switchedOff: isActive == false
        case .userTokenMissing: isOwnerAnother && needsUserToken && !hasUserToken
        case .anotherOwner: isOwnerAnother
        case .noHandler: !hasNotificationHandler
        case .pushOfAnotherVendor: pushes.contains { !$0.isHandled }
        case .pushWithoutID: pushes.contains { $0.isHandled && !$0.isCounted }
        }
    }

    private var isTokenMissing: Bool { !usesFirebase && !isDeviceTokenFresh }

    private var isOwnerAnother: Bool {
        guard isUserSet, let owners else { return false }
        return owners != (user.map { [$0] } ?? [])
    }

    private var pushes: [Push] {
        history.compactMap { if case .push(let push) = $0.event { push } else { nil } }
    }

    /// Whether a push with an id has reached the SDK.
    package func hasArrived(_ messageID: String) -> Bool { pushes.contains { $0.messageID == messageID } }
}
