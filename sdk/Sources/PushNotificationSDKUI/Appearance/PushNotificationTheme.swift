#if canImport(SwiftUI) && !os(tvOS)
    public import SwiftUI

    /// How the views look. Fonts are text styles, which follow the size that the person chose; sizes grow with them.
    @available(iOS 15.0, macOS 12.0, *)
    public struct PushNotificationTheme {
        /// The first line of an item, and the names of switches.
        public var titleFont = Font.headline
        /// The text of an item.
        public var bodyFont = Font.subheadline
        /// Times, and why a switch cannot be moved.
        public var detailFont = Font.caption
        /// What is read.
        public var textColor = Color.primary
        /// Times, and what explains.
        public var detailColor = Color.secondary
        /// The dot of an item that is not read, and buttons.
        public var accentColor = Color.accentColor
        /// What removes.
        public var removeColor = Color.red
        /// Behind the number of a badge.
        public var badgeColor = Color.red
        /// The number of a badge.
        public var badgeTextColor = Color.white
        /// Between the parts of a row.
        public var spacing: CGFloat = 12
        /// The dot of an item that is not read.
        public var dotSize: CGFloat = 10
        /// An item's image.
        public var imageSize: CGFloat = 48
        /// The corners of an item's image.
        public var cornerRadius: CGFloat = 8
        /// The SF Symbol of an inbox without items.
        public var emptySymbol = "tray"
        /// The SF Symbol of what cannot be shown.
        public var troubleSymbol = "exclamationmark.triangle"
        /// The SF Symbol of what cannot be shown without a connection.
        public var offlineSymbol = "wifi.slash"
        /// The SF Symbol that marks an item as read.
        public var readSymbol = "envelope.open"
        /// The SF Symbol that marks an item as unread.
        public var unreadSymbol = "envelope.badge"
        /// The SF Symbol that marks all items as read.
        public var readAllSymbol = "checkmark.circle"
        /// The SF Symbol that puts an item away.
        public var removeSymbol = "trash"
        /// The SF Symbol that says that the Settings app keeps notifications from being shown.
        public var deniedSymbol = "exclamationmark.circle"

        /// The system's look.
        public init() {}
    }

    @available(iOS 15.0, macOS 12.0, *)
    extension View {
        /// Sets how the SDK's views below look.
        public func pushNotificationTheme(_ theme: PushNotificationTheme) -> some View {
            environment(\.pushNotificationTheme, theme)
        }

        /// Sets what the SDK's views below say.
        public func pushNotificationTexts(_ texts: PushNotificationTexts) -> some View {
            environment(\.pushNotificationTexts, texts)
        }
    }

    @available(iOS 15.0, macOS 12.0, *)
    extension EnvironmentValues {
        /// How the SDK's views look.
        public var pushNotificationTheme: PushNotificationTheme {
            get { self[ThemeKey.self] }
            set { self[ThemeKey.self] = newValue }
        }

        /// What the SDK's views say.
        public var pushNotificationTexts: PushNotificationTexts {
            get { self[TextsKey.self] }
            set { self[TextsKey.self] = newValue }
        }
    }

    @available(iOS 15.0, macOS 12.0, *)
    private struct ThemeKey: EnvironmentKey {
        static var defaultValue: PushNotificationTheme { PushNotificationTheme() }
    }

    @available(iOS 15.0, macOS 12.0, *)
    private struct TextsKey: EnvironmentKey {
        static var defaultValue: PushNotificationTexts { .current }
    }
#endif
