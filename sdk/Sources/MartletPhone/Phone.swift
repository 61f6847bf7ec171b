public import Foundation
import SafariServices
package import UIKit
import UserNotifications

/// A phone in memory with one app: it asks its user, receives, shows, is tapped, and starts and ends the app's
/// processes, as an iPhone does. The app is real code over the stand-ins for Apple's frameworks.
///
/// What is asked of a phone happens one after the other. Several phones in one process know nothing of each other.
@MainActor
public final class Phone {
    /// What kind of phone it is.
    public nonisolated let settings: PhoneSettings
    /// What happened so far.
    public nonisolated let journal = PhoneJournal()
    /// The phone's network.
    public nonisolated let network: PhoneNetwork

    let app: PhoneApp
    let link: any APNsLink
    let firebase: (any FCMLink)?
    let turns = Turns()
    let user = PhoneUser()
    var parts: PhoneParts
    var process: AppProcess?
    var line: PushLine?
    var firebaseLine: PushLine?
    /// Whether a token was asked for and has not come.
    var isAwaitingToken = false
    /// What slid down over the app and is not in Notification Center.
    var banner: NotificationRecord?
    /// The phone's disk.
    nonisolated let disk = PhoneDisk()

    /// Where the app stands.
    public internal(set) var state = AppState.notRunning {
        didSet { if state != oldValue { journal.add(.became(state)) } }
    }

    /// The token that APNs gave the app, if it has one.
    public internal(set) var token: Data?

    /// The registration token that Firebase's SDK has, if the app brought it.
    public internal(set) var firebaseToken: String?

    /// A phone with the app installed and never started.
    ///
    /// - Parameter firebase: the way to FCM; with it the app has Firebase's SDK, which hands it a token at each launch.
    public nonisolated init(
        _ settings: PhoneSettings,
        app: PhoneApp,
        link: any APNsLink = NoAPNs(),
        firebase: (any FCMLink)? = nil,
        network: PhoneNetwork = PhoneNetwork()
    ) {
        self.settings = settings
        self.app = app
        self.link = link
        self.firebase = firebase
        self.network = network
        parts = PhoneParts(settings: settings, network: network, notifications: NotificationDevice(), install: 1)
        attend(parts.notifications)
    }

    /// Somebody has the phone, and what the app takes off its screen is written down.
    nonisolated func attend(_ device: NotificationDevice) {
        user.attend(device, journal: journal)
        device.watchRemovals { [journal] ids in
            for id in ids { journal.add(.removed(id: id)) }
        }
    }

    /// What the running app calls `UIApplication.shared`.
    package var application: UIApplication? { process?.application }

    // MARK: What a person sees

    /// What the lock screen and Notification Center show, the oldest first.
    public var notifications: [ShownNotification] {
        let categories = parts.notifications.categories
        return parts.notifications.delivered.map { ShownNotification($0, categories: categories) }
    }

    /// The number on the app's icon; 0 is none.
    public var badge: Int { parts.notifications.badge }

    /// Whether the user allowed notifications; `nil` before there was an answer.
    public var allowsNotifications: Bool? {
        let permission = parts.notifications.permission
        return permission.status == .notDetermined ? nil : permission.mayNotify
    }

    /// The app's windows on the screen, by the `persistentIdentifier` of their sessions, the one that was used last behind
    /// the others. There is one until the user opens another.
    public var windows: [String] { parts.windows }

    /// The page that the app shows in a browser of its own.
    public var page: URL? { windows.compactMap { self.page(in: $0) }.first }

    /// The page that a window of the app's shows in such a browser.
    public func page(in window: String) -> URL? {
        let root = process?.scene(of: window)?.windows.first?.rootViewController
        return (root?.presentedViewController as? SFSafariViewController)?.url
    }

    // MARK: What a person decides

    /// How the user answers the system's prompt: at once from now on, and also one that shows. `nil` lets it show.
    public nonisolated func answerPrompt(allowing allows: Bool?) {
        user.decide(allows)
    }

    /// The user turns the switch in the system's settings. The app is told nothing; it may ask when it is in front again.
    public func setNotifications(allowed: Bool) {
        parts.notifications.setPermission(
            NotificationPermission(
                status: allowed ? .authorized : .denied,
                granted: allowed ? [.alert, .sound, .badge] : []
            )
        )
    }
}

/// The person with the phone, as far as the system's prompt goes.
final class PhoneUser: Sendable {
    private struct State {
        var decision: Bool? = true
        var prompt: (@Sendable (Bool) -> Void)?
    }

    private let state = Guarded(State())

    func attend(_ device: NotificationDevice, journal: PhoneJournal) {
        device.setPrompt { [weak self] _, answer in
            journal.add(.asked)
            let reply: @Sendable (Bool) -> Void = { allows in
                journal.add(.answered(allows: allows))
                answer(allows)
            }
            let decision = self?.state.write { state -> Bool? in
                if state.decision == nil { state.prompt = reply }
                return state.decision
            }
            if let decision = decision ?? nil { reply(decision) }
        }
    }

    func decide(_ decision: Bool?) {
        let prompt = state.write { state -> (@Sendable (Bool) -> Void)? in
            state.decision = decision
            guard decision != nil else { return nil }
            defer { state.prompt = nil }
            return state.prompt
        }
        if let decision { prompt?(decision) }
    }
}
