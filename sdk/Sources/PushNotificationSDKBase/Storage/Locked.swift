import Foundation

/// A value behind a lock; iOS 13 has neither `Mutex` nor `OSAllocatedUnfairLock`.
package final class Locked<Value>: @unchecked Sendable {  // the value is touched under the lock only
    private let lock = NSLock()
    private var value: Value

    /// Puts a value behind a lock.
    package init(_ value: sending Value) {
        self.value = value
    }

    /// Runs a closure with the value, alone. It must not wait and must not call out, and must not let go of anything of
    /// the app's: its deinitializers call out too. ``replace(_:with:)`` is for that.
    package func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// Puts something in the place of a part of the value.
    ///
    /// - Returns: what was there, to be let go outside the lock.
    @discardableResult
    package func replace<Part>(_ part: WritableKeyPath<Value, Part>, with new: Part) -> Part {
        with { value in
            let old = value[keyPath: part]
            value[keyPath: part] = new
            return old
        }
    }
}
