import Foundation

/// An app's completion handler on its way through threads: it is called on the main thread, and only there.
///
/// Apps make them on the main thread as a rule, where Swift 6 takes them to be bound to it.
package struct MainCompletion<Value: Sendable>: @unchecked Sendable {  // called on the main thread only
    private let completion: ((Value) -> Void)?

    /// Takes a handler; without one nothing is called.
    package init(_ completion: ((Value) -> Void)?) { self.completion = completion }

    /// Calls the handler, on the main thread.
    package func callAsFunction(_ value: Value) {
        guard completion != nil else { return }
        DispatchQueue.main.async { [self] in completion?(value) }
    }

    /// Calls the handler at once.
    @MainActor
    package func callOnMain(_ value: Value) { completion?(value) }
}
