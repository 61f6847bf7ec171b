import Foundation
import UserNotifications

/// What a person wanted to do and could not.
public struct PhoneError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What stands in the way.
    public var description: String

    static func noNotification(_ id: String) -> PhoneError {
        PhoneError(description: "no notification \(id) shows")
    }
}

extension Phone {
    /// The user taps a notification.
    ///
    /// - Parameter window: where the system shows what comes of it; `nil` is the one that was used last.
    /// - Throws: `PhoneError` when none with this id shows.
    public func tap(_ id: String, in window: String? = nil) async throws(PhoneError) {
        try await act(on: id, action: UNNotificationDefaultActionIdentifier, in: window)
    }

    /// The user taps a button of a notification, or writes into it.
    ///
    /// - Throws: `PhoneError` when none with this id shows, or it has no such button.
    public func act(_ action: String, on id: String, text: String? = nil) async throws(PhoneError) {
        try await act(on: id, action: action, text: text)
    }

    /// The user dismisses one notification explicitly. The app is told only where its category asks for it.
    ///
    /// - Throws: `PhoneError` when none with this id shows.
    public func dismiss(_ id: String) async throws(PhoneError) {
        try await act(on: id, action: UNNotificationDismissActionIdentifier)
    }

    /// Notifications go without a dismissal, as when the user clears the whole list. Nobody is told.
    public func clear() async {
        await turns.take {
            for record in parts.notifications.delivered { journal.add(.cleared(id: record.identifier)) }
            parts.notifications.removeDelivered { _ in true }
            banner = nil
        }
    }

    private func act(
        on id: String,
        action: String,
        text: String? = nil,
        in window: String? = nil
    ) async throws(PhoneError) {
        let result: Result<Void, PhoneError> = await turns.take {
            guard let record = shown(id) else { return .failure(.noNotification(id)) }
            use(window)
            let category = category(of: record)
            let button = category?.actions.first { $0.identifier == action }
            let isTap = action == UNNotificationDefaultActionIdentifier
            let isDismissal = action == UNNotificationDismissActionIdentifier
            guard button != nil || isTap || isDismissal else {
                return .failure(PhoneError(description: "\(id) has no button \(action)"))
            }
            take(record)
            journal.add(.acted(id: id, action: action))
            if isDismissal, category?.options.contains(.customDismissAction) != true { return .success(()) }
            let input = button?.input == nil ? nil : text ?? ""
            let response = AppProcess.Response(notification: record, action: action, text: input)
            await answer(response, inFront: isTap || button?.options.contains(.foreground) == true)
            return .success(())
        }
        try result.get()
    }

    private func answer(_ response: AppProcess.Response, inFront: Bool) async {
        switch (state, inFront) {
        case (.foreground, _), (.background, false): await process?.respond(response)
        case (.background, true): await comeToFront(response)
        case (.notRunning, true), (.swipedAway, true): await startProcess(.response(response))
        case (.notRunning, false), (.swipedAway, false):
            await startProcess(.background(nil))
            await process?.respond(response)
        }
    }

    private func shown(_ id: String) -> NotificationRecord? {
        parts.notifications.delivered.first { $0.identifier == id } ?? (banner?.identifier == id ? banner : nil)
    }

    private func category(of record: NotificationRecord) -> CategoryRecord? {
        parts.notifications.categories.first { $0.identifier == record.content.categoryIdentifier }
    }

    private func take(_ record: NotificationRecord) {
        parts.notifications.removeDelivered { $0.identifier == record.identifier }
        if banner?.identifier == record.identifier { banner = nil }
    }
}
