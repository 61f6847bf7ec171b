import NIOCore
import NIOPosix

/// Judges the address of a connection before anything is sent to it. A name is judged by what it leads to now: what it led
/// to when somebody looked before says nothing (DNS rebinding).
final class AddressGate: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The address may not be connected to.
    struct Refused: Error, CustomStringConvertible {
        let purpose: String

        /// What is said of a host, whatever listens there.
        var description: String { "the host has a \(self.purpose) address, and the operator has not allowed the host" }
    }

    private let refusal: @Sendable (SocketAddress) -> String?

    /// A gate that asks this about each address.
    init(_ refusal: @escaping @Sendable (SocketAddress) -> String?) { self.refusal = refusal }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        guard let purpose = self.refusal(address) else { return context.connect(to: address, promise: promise) }
        promise?.fail(Refused(purpose: purpose))
    }
}

extension AddressGate.Refused {
    /// What an attempt comes to in which every address was refused; nil for any other.
    init?(all failures: [SingleConnectionFailure]) {
        let refused = failures.compactMap { $0.error as? Self }
        guard let first = refused.first, refused.count == failures.count else { return nil }
        self = first
    }
}
