/// What an action needs and does.
public struct UNNotificationActionOptions: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Takes Apple's bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Only on an unlocked device.
    public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1 << 0)
    /// Shown as something that destroys.
    public static let destructive = UNNotificationActionOptions(rawValue: 1 << 1)
    /// Brings the app to the front.
    public static let foreground = UNNotificationActionOptions(rawValue: 1 << 2)
}

/// A button of a notification.
@available(tvOS, unavailable)
open class UNNotificationAction: NSObject {
    package let record: ActionRecord

    package init(_ record: ActionRecord) {
        self.record = record
    }

    /// A button.
    public convenience init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        self.init(ActionRecord(identifier: identifier, title: title, options: options))
    }

    /// The action's id.
    open var identifier: String { record.identifier }
    /// What the button says.
    open var title: String { record.title }
    /// What it needs and does.
    open var options: UNNotificationActionOptions { record.options }
}

/// A field of a notification that the user writes into.
@available(tvOS, unavailable)
open class UNTextInputNotificationAction: UNNotificationAction {
    /// A field with its button.
    public convenience init(
        identifier: String,
        title: String,
        options: UNNotificationActionOptions = [],
        textInputButtonTitle: String,
        textInputPlaceholder: String
    ) {
        self.init(
            ActionRecord(
                identifier: identifier,
                title: title,
                options: options,
                input: .init(buttonTitle: textInputButtonTitle, placeholder: textInputPlaceholder)
            )
        )
    }

    /// What the button beside the field says.
    open var textInputButtonTitle: String { record.input?.buttonTitle ?? "" }
    /// What the empty field says.
    open var textInputPlaceholder: String { record.input?.placeholder ?? "" }
}
