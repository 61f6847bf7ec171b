/// A caller's context: owned by whatever closure captures it, and released once, when the last of them is gone.
final class ForeignContext {
    /// What the caller handed in.
    let pointer: UnsafeMutableRawPointer?
    private let release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?

    /// Takes over the pointer.
    init(_ pointer: UnsafeMutableRawPointer?, release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?) {
        self.pointer = pointer
        self.release = release
    }

    deinit {
        release?(pointer)
    }
}
