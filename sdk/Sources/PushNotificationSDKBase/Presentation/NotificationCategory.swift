/// A kind of notification with its buttons, as `category` of a push names it.
public struct NotificationCategory: Sendable, Hashable {
    /// A button.
    public struct Action: Sendable, Hashable {
        /// What a button does beside being tapped.
        public struct Options: OptionSet, Sendable, Hashable {
            /// The bits of `UNNotificationActionOptions`.
            public let rawValue: UInt
            /// Options by their bits.
            public init(rawValue: UInt) { self.rawValue = rawValue }

            /// The device must be unlocked.
            public static let authenticationRequired = Options(rawValue: 1 << 0)
            /// It is shown as dangerous.
            public static let destructive = Options(rawValue: 1 << 1)
            /// It brings the app to the front.
            public static let foreground = Options(rawValue: 1 << 2)
        }

        /// What ``PushNotificationSDK/onNotificationActionTapped`` is called with.
        public var identifier: String
        /// The text on the button.
        public var title: String
        /// What it does beside being tapped.
        public var options: Options

        /// A field that the person writes into, where the button takes text; it arrives as
        /// ``NotificationPayload/userText``.
        public var textInput: TextInput?

        /// A button, which takes no text unless `textInput` says so.
        public init(_ identifier: String, title: String, options: Options = [], textInput: TextInput? = nil) {
            self.identifier = identifier
            self.title = title
            self.options = options
            self.textInput = textInput
        }

        /// A field of a notification that the person writes into.
        public struct TextInput: Sendable, Hashable {
            /// What the button beside the field says.
            public var buttonTitle: String
            /// What the empty field says.
            public var placeholder: String

            /// A field, without a placeholder unless one is given.
            public init(buttonTitle: String, placeholder: String = "") {
                self.buttonTitle = buttonTitle
                self.placeholder = placeholder
            }
        }
    }

    /// What a push names.
    public var identifier: String
    /// The buttons, in order; the system shows up to four.
    public var actions: [Action]

    /// A category from its parts. Dismissals of its notifications are always reported.
    public init(_ identifier: String, actions: [Action] = []) {
        self.identifier = identifier
        self.actions = actions
    }

    /// The category without buttons that the service extension gives to pushes without one, so that their dismissals
    /// are reported.
    public static let standard = NotificationCategory("martlet_standard")
}
