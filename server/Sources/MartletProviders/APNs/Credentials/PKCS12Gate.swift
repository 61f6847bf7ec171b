import MartletCore
import MartletWire
import Synchronization

/// Lets one in at a time and sends the others away, so that opening `.p12` files never takes more than one thread.
///
/// Nobody waits: waiting would block a second thread of those that all requests share.
final class PKCS12Gate: Sendable {
    private let isTaken = Atomic(false)

    /// Runs `body` unless another one is running.
    ///
    /// - Throws: `Failure` with ``ErrorCode/overloaded`` when one is; what `body` throws.
    func pass<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard !isTaken.exchange(true, ordering: .acquiring) else {
            throw Failure(.overloaded, "Another .p12 file is being opened.", hint: "Send it again in a few seconds.")
        }
        defer { isTaken.store(false, ordering: .releasing) }
        return try body()
    }
}
