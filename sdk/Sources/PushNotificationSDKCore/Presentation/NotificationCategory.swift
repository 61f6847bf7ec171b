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

        /// A button from its parts.
        public init(_ identifier: String, title: String, options: Options = []) {
            self.identifier = identifier
            self.title = title
            self.options = options
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
