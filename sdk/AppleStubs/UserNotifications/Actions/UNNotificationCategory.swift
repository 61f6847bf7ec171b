/// How notifications of a category behave.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Takes Apple's bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The app is told of explicit dismissals.
    public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1 << 0)
    /// Shows in a car.
    public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 1 << 1)
    /// The title shows although previews are hidden.
    public static let hiddenPreviewsShowTitle = UNNotificationCategoryOptions(rawValue: 1 << 2)
    /// The subtitle shows although previews are hidden.
    public static let hiddenPreviewsShowSubtitle = UNNotificationCategoryOptions(rawValue: 1 << 3)
}

/// A kind of notification with its buttons.
@available(tvOS, unavailable)
open class UNNotificationCategory: NSObject {
    package let record: CategoryRecord

    package init(_ record: CategoryRecord) {
        self.record = record
    }

    /// A category.
    public convenience init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier,
            actions: actions,
            intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: "",
            options: options
        )
    }

    /// A category that says something of its own where previews are hidden.
    public convenience init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String,
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            CategoryRecord(
                identifier: identifier,
                actions: actions.map(\.record),
                intentIdentifiers: intentIdentifiers,
                hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder,
                options: options
            )
        )
    }

    /// The category's id, which payloads name.
    open var identifier: String { record.identifier }
    /// Its buttons, in order.
    open var actions: [UNNotificationAction] {
        record.actions.map { $0.input == nil ? UNNotificationAction($0) : UNTextInputNotificationAction($0) }
    }
    /// Intents that it goes with.
    open var intentIdentifiers: [String] { record.intentIdentifiers }
    /// What shows instead of the text where previews are hidden.
    open var hiddenPreviewsBodyPlaceholder: String { record.hiddenPreviewsBodyPlaceholder }
    /// How it behaves.
    open var options: UNNotificationCategoryOptions { record.options }

    /// Equal where every property is, as Apple's.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationCategory)?.record == record
    }

    /// Goes with `isEqual`.
    open override var hash: Int { record.identifier.hashValue }
}
