package import Foundation
package import PushNotificationSDKCore

/// A system that does as a test says and writes down what it was asked.
package final class RecordingPlatform: Platform {
    /// What the system was asked to do.
    package enum Request: Sendable, Equatable {
        case prompt(AuthorizationOptions)
        case register
        case badge(Int)
        case categories([NotificationCategory])
        case open(URL, LinkTarget)
        case settings
        case remove([String])
        case beginTask(String)
        case endTask
    }

    private struct State {
        var status = AuthorizationStatus.notDetermined
        var allows = true
        var promptError: (any Error)?
        var held: [CheckedContinuation<Void, Never>]?
        var delivered: [ReceivedNotification] = []
        var application = ApplicationState.active
        var facts = DeviceFacts()
        var delegates = DelegateForwarding(application: .sdk, center: .sdk)
        var attached = 0
        var opens = true
    }

    private let state = Locked(State())
    /// What the system was asked, in order.
    package let requests = Journal<Request>()

    /// A system that nobody asked anything yet.
    package init(status: AuthorizationStatus = .notDetermined, allows: Bool = true) {
        state.with { state in
            state.status = status
            state.allows = allows
            state.facts.model = "iPhone16,1"
            state.facts.osVersion = "18.0"
            state.facts.appVersion = "2.1"
            state.facts.locale = "ja-JP"
            state.facts.timeZone = "Asia/Tokyo"
            state.facts.bundleID = "com.example.game"
        }
    }

    /// What the person allowed.
    package var status: AuthorizationStatus {
        get { state.with { $0.status } }
        set { state.with { $0.status = newValue } }
    }

    /// What the notification center shows.
    package var delivered: [ReceivedNotification] {
        get { state.with { $0.delivered } }
        set { state.with { $0.delivered = newValue } }
    }

    /// Whether the app is in front.
    package var application: ApplicationState {
        get { state.with { $0.application } }
        set { state.with { $0.application = newValue } }
    }

    /// Who hears the system's calls to its delegates.
    package var delegates: DelegateForwarding {
        get { state.with { $0.delegates } }
        set { state.with { $0.delegates = newValue } }
    }

    /// Changes what the device says about itself.
    package func set(_ change: (inout DeviceFacts) -> Void) { state.with { change(&$0.facts) } }

    /// Whether links are opened.
    package var opens: Bool {
        get { state.with { $0.opens } }
        set { state.with { $0.opens = newValue } }
    }

    /// How often clients were attached, less those that were detached.
    package var attached: Int { state.with { $0.attached } }

    /// Makes prompts wait until ``answerPrompts()``.
    package func holdPrompts() { state.with { $0.held = [] } }

    /// Lets the prompts that wait be answered, and later ones at once.
    package func answerPrompts() {
        let held = state.with { state in
            defer { state.held = nil }
            return state.held ?? []
        }
        for continuation in held { continuation.resume() }
    }

    /// Makes prompts fail.
    package func failPrompts(_ error: any Error) { state.with { $0.promptError = error } }

    package func attach(_ client: PushClient) { state.with { $0.attached += 1 } }
    package func detach() { state.with { $0.attached -= 1 } }

    package func authorizationStatus() async -> AuthorizationStatus { status }

    package func requestAuthorization(_ options: AuthorizationOptions) async throws -> Bool {
        requests.add(.prompt(options))
        await withCheckedContinuation { continuation in
            let isHeld = state.with { state in
                state.held?.append(continuation)
                return state.held != nil
            }
            if !isHeld { continuation.resume() }
        }
        return try state.with { state in
            if let error = state.promptError { throw error }
            state.status = state.allows ? .authorized : .denied
            return state.allows
        }
    }

    package func registerForRemoteNotifications() async { requests.add(.register) }
    package func deliveredNotifications() async -> [ReceivedNotification] { delivered }
    package func removeDelivered(_ identifiers: [String]) async { requests.add(.remove(identifiers)) }
    package func setBadge(_ number: Int) async { requests.add(.badge(number)) }
    package func keepCategories(_ categories: [NotificationCategory]) async {}
    package func addCategories(_ categories: [NotificationCategory]) async { requests.add(.categories(categories)) }

    package func open(_ url: URL, in target: LinkTarget, of sceneID: String?) async -> Bool {
        requests.add(.open(url, target))
        return opens
    }

    package func openSettings() async -> Bool {
        requests.add(.settings)
        return opens
    }

    package func applicationState() async -> ApplicationState { application }
    package func deviceFacts() async -> DeviceFacts { state.with { $0.facts } }
    package func forwarding() async -> DelegateForwarding { delegates }

    @MainActor
    package func beginBackgroundTask(
        _ name: String,
        expired: @escaping @Sendable () -> Void
    ) -> BackgroundTask? {
        requests.add(.beginTask(name))
        return BackgroundTask(rawValue: 1)
    }

    package func endBackgroundTask(_ task: BackgroundTask) async { requests.add(.endTask) }
}
