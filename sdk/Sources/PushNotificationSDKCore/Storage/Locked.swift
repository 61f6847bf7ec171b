import Foundation

/// A value behind a lock; iOS 13 has neither `Mutex` nor `OSAllocatedUnfairLock`.
package final class Locked<Value>: @unchecked Sendable {  // the value is touched under the lock only
    private let lock = NSLock()
    private var value: Value

    /// Puts a value behind a lock.
    package init(_ value: sending Value) {
        self.value = value
    }

    /// Runs a closure with the value, alone. It must not wait and must not call out.
    package func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
