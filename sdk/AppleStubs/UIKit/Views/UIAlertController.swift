/// A prompt over what shows.
@MainActor
open class UIAlertController: UIViewController {
    /// The kinds of prompt.
    public enum Style: Int, Sendable {
        /// From below.
        case actionSheet = 0
        /// In the middle.
        case alert = 1
    }

    /// The text of the prompt.
    open var message: String?
    /// The kind of prompt.
    public let preferredStyle: Style
    /// The answers.
    open private(set) var actions: [UIAlertAction] = []

    /// A prompt without answers.
    public init(title: String?, message: String?, preferredStyle: Style) {
        self.message = message
        self.preferredStyle = preferredStyle
        super.init()
        self.title = title
    }

    /// Adds an answer.
    open func addAction(_ action: UIAlertAction) {
        actions.append(action)
    }
}

/// An answer to a prompt.
@MainActor
open class UIAlertAction: NSObject {
    /// The kinds of answer.
    public enum Style: Int, Sendable {
        /// Any.
        case `default` = 0
        /// Nothing shall happen.
        case cancel = 1
        /// Something goes away for good.
        case destructive = 2
    }

    /// What the button says.
    public let title: String?
    /// The kind of answer.
    public let style: Style
    /// What is called when it is given.
    package let handler: ((UIAlertAction) -> Void)?

    /// An answer.
    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        self.title = title
        self.style = style
        self.handler = handler
        super.init()
    }
}
