/// What stands on the screen. Nothing is drawn.
@MainActor
open class UIView: UIResponder {
    /// How a view goes along when the one around it changes its size.
    public struct AutoresizingMask: OptionSet, Sendable {
        /// Apple's bits.
        public let rawValue: UInt

        /// Takes Apple's bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The width changes.
        public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
        /// The height changes.
        public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
    }

    /// Where it stands in the view around it.
    open var frame = CGRect.zero
    /// Its own rectangle.
    open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
    /// How it goes along with the view around it.
    open var autoresizingMask: AutoresizingMask = []
    /// The views within it, the lowest first.
    open private(set) var subviews: [UIView] = []
    /// The window that it is in; no phone asks.
    open var window: UIWindow? { nil }
    /// Whether touches reach it.
    open var isUserInteractionEnabled = true

    /// A view with nothing in it.
    public override init() {
        super.init()
    }

    /// Puts a view on top of those within this one.
    open func addSubview(_ view: UIView) {
        subviews.append(view)
    }
}

/// A text on the screen.
@MainActor
open class UILabel: UIView {
    /// The text.
    open var text: String?
    /// The most lines; 0 is as many as there are.
    open var numberOfLines = 1
    /// Where lines begin.
    open var textAlignment = NSTextAlignment.natural
}

/// Where lines of text begin.
public enum NSTextAlignment: Int, Sendable {
    /// On the left.
    case left = 0
    /// In the middle.
    case center = 1
    /// On the right.
    case right = 2
    /// Where the language has them.
    case natural = 4
}
