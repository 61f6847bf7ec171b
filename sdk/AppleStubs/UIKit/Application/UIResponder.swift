@_exported public import Foundation

/// What takes part in the handling of events.
@MainActor
open class UIResponder: NSObject {
    /// Apple's is of the main actor too: a subclass must not call it from elsewhere.
    public override init() {
        super.init()
    }
}
