import Foundation
import MartletCore
import MartletWire
import Synchronization

/// The key that signs envelopes and its certificate: made once, kept sealed in the store, and the same for all processes
/// on that store.
final class SigningCertificate: Sendable {
    /// The pair as it is sealed.
    private struct Pair: Codable {
        var certificate: String
        var key: String
    }

    /// The name of the shared value, which is what it is sealed for too.
    private static let name = "webhook-signing-certificate"

    private let store: any Store
    private let vault: Vault
    private let clock: any WallClock
    /// Whom the certificate names.
    private let host: String
    private let known = Mutex<EnvelopeSigner?>(nil)

    /// The pair of a store.
    ///
    /// - Parameter host: whom a certificate that is made names.
    init(store: any Store, vault: Vault, clock: any WallClock, host: String = "martlet") {
        self.store = store
        self.vault = vault
        self.clock = clock
        self.host = host
    }

    /// The pair; made when the store has none.
    ///
    /// - Throws: `Failure` when it was sealed with another encryption key; what the store throws.
    func signer() async throws -> EnvelopeSigner {
        if let signer = known.withLock({ $0 }) { return signer }
        let signer: EnvelopeSigner
        if let shared = try await store.sharedValue(Self.name) {
            signer = try open(shared)
        } else {
            signer = try await make()
        }
        known.withLock { $0 = signer }
        return signer
    }

    private func make() async throws -> EnvelopeSigner {
        let now = clock.now()
        let made = try EnvelopeSigner.make(name: host, now: Date(timeIntervalSince1970: Double(now.seconds)))
        let pair = try JSONEncoder().encode(Pair(certificate: made.certificatePEM, key: made.keyPEM))
        let sealed = try vault.seal(Array(pair), for: Self.name)
        // Of two processes that make one at the same time the first has made it for both.
        return try open(
            try await store.share(SharedValue(sealed: sealed, madeAt: now), as: Self.name, insteadOf: nil)
        )
    }

    private func open(_ shared: SharedValue) throws -> EnvelopeSigner {
        let pair = try JSONDecoder().decode(Pair.self, from: Data(try vault.open(shared.sealed, for: Self.name)))
        return try EnvelopeSigner(certificatePEM: pair.certificate, keyPEM: pair.key)
    }
}
