package import Foundation

/// What the SDK needs of the system. It translates and decides nothing; every call may come from any thread, and every
/// answer may come on any.
package protocol Platform: Sendable {
    /// Hands the system's calls to a client from now on. The client is held weakly; nothing is read or sent.
    func attach(_ client: PushClient)
    /// Ends what ``attach(_:)`` began.
    func detach()

    /// What the person allowed so far.
    func authorizationStatus() async -> AuthorizationStatus
    /// Shows the system's prompt where it was not shown before.
    ///
    /// - Returns: whether the person allows notifications.
    func requestAuthorization(_ options: AuthorizationOptions) async throws -> Bool
    /// Asks the system for a device token; it arrives in ``PushClient/didRegister(token:)``.
    func registerForRemoteNotifications() async

    /// The notifications of this app that the notification center still shows.
    func deliveredNotifications() async -> [ReceivedNotification]
    /// Takes notifications out of the notification center, by the identifiers of their requests.
    func removeDelivered(_ identifiers: [String]) async
    /// Sets the number on the app's icon; 0 removes it.
    func setBadge(_ number: Int) async
    /// Adds categories to those that the app registered itself; one of the same identifier is replaced.
    func addCategories(_ categories: [NotificationCategory]) async
    /// Adds those of the categories that are not registered any more.
    func keepCategories(_ categories: [NotificationCategory]) async

    /// Opens a link.
    ///
    /// - Parameter sceneID: the session of the scene over which a page is shown; `nil` for the one in front.
    /// - Returns: whether something opened it.
    func open(_ url: URL, in target: LinkTarget, of sceneID: String?) async -> Bool
    /// Opens the app's page in the Settings app.
    ///
    /// - Returns: whether it opened.
    func openSettings() async -> Bool
    /// Whether the app is in front.
    func applicationState() async -> ApplicationState
    /// What the device says about itself.
    func deviceFacts() async -> DeviceFacts
    /// Who hears the system's calls to its delegates.
    func forwarding() async -> DelegateForwarding

    /// Asks the system to let the app run on in the background for a while.
    ///
    /// - Parameter expired: called on any thread when the time is over and the system was told that the task is done.
    /// - Returns: `nil` when the system gives no time.
    @MainActor func beginBackgroundTask(_ name: String, expired: @escaping @Sendable () -> Void) -> BackgroundTask?
    /// Says that the work of a background task is done; nothing happens when its time was over before.
    func endBackgroundTask(_ task: BackgroundTask) async
}
