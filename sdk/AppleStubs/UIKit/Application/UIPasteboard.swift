/// What a person copied, on its way into another app.
@available(tvOS, unavailable)
@MainActor
open class UIPasteboard: NSObject {
    private static let theGeneral = UIPasteboard()

    /// The one that all apps share.
    open class var general: UIPasteboard { theGeneral }

    /// Its text.
    open var string: String?
}
