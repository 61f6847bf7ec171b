public import Foundation
import UserNotifications

/// A notification as a person sees it on the phone.
public struct ShownNotification: Sendable, Equatable, Identifiable {
    /// A button.
    public struct Button: Sendable, Equatable {
        /// The action's id.
        public var id: String
        /// What the button says.
        public var title: String
        /// Whether it is a field to write into.
        public var takesText: Bool
    }

    /// The id of the system's request.
    public var id: String
    /// When it came.
    public var date: Date
    /// The first line.
    public var title: String
    /// The second line.
    public var subtitle: String
    /// The text.
    public var body: String
    /// The files that show with it.
    public var attachments: [URL]
    /// The buttons of its category.
    public var buttons: [Button]

    init(_ record: NotificationRecord, categories: [CategoryRecord]) {
        id = record.identifier
        date = record.date
        title = record.content.title
        subtitle = record.content.subtitle
        body = record.content.body
        attachments = record.content.attachments.map(\.url)
        let category = categories.first { $0.identifier == record.content.categoryIdentifier }
        buttons = (category?.actions ?? []).map {
            Button(id: $0.identifier, title: $0.title, takesText: $0.input != nil)
        }
    }
}
