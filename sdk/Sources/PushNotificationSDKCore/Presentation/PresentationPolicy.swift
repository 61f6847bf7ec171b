/// How notifications are shown while the app is in front.
public enum PresentationPolicy: Sendable {
    /// All in the same way.
    case always(NotificationPresentation)
    /// Each as the app says, asked on the main thread.
    case decided(by: @MainActor @Sendable (NotificationPayload) -> NotificationPresentation)
}
