@_exported public import Foundation

/// What takes part in the handling of events.
@MainActor
open class UIResponder: NSObject {
    /// The system makes responders on the main thread.
    public nonisolated override init() {
        super.init()
    }
}
