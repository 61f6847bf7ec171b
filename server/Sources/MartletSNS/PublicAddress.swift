import MartletCore
import Synchronization

/// Where clients and subscribers reach this server, for the links of envelopes: what the operator says, or else where it
/// listens. Nothing that a request says changes it.
package final class PublicAddress: Sendable {
    private let isFixed: Bool
    private let known: Mutex<String>

    /// An address.
    ///
    /// - Parameter publicURL: what the operator says, such as `https://push.example.com`.
    init(publicURL: String?) {
        isFixed = publicURL != nil
        known = Mutex(publicURL ?? "http://localhost")
    }

    /// Without a path.
    var url: String { known.withLock { $0 } }

    /// Notes where the server listens, which counts where the operator says nothing.
    package func listen(at url: String) {
        if !isFixed { known.withLock { $0 = url } }
    }
}
