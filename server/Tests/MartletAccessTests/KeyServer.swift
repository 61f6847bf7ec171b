import AsyncHTTPClient
import Crypto
import Foundation
import Hummingbird
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import SwiftASN1
import Synchronization
import Testing
import X509

/// An HTTPS server on loopback with a certificate for `keys.example.test` and 127.0.0.1.
struct KeyServer: Sendable {
    static let name = "keys.example.test"

    /// Where it listens.
    let port: Int
    /// What a client has to trust.
    let trust: TLSConfiguration

    /// Runs a test against a server and stops the server.
    static func run(_ router: Router<BasicRequestContext>, _ body: @Sendable (KeyServer) async throws -> Void)
        async throws
    {
        let (certificate, key) = try identity()
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        var logger = Logger(label: "key server") { _ in QuietLog() }
        logger.logLevel = .critical
        let application = Application(
            router: router,
            server: try .tls(
                .http1(),
                tlsConfiguration: .makeServerConfiguration(
                    certificateChain: [.certificate(certificate)],
                    privateKey: .privateKey(key)
                )
            ),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
            logger: logger
        )
        var trust = TLSConfiguration.makeClientConfiguration()
        trust.trustRoots = .certificates([certificate])
        try await withThrowingTaskGroup(of: Void.self) { [trust] group in
            group.addTask { try await application.run() }
            defer { group.cancelAll() }
            for await port in ports {
                let server = KeyServer(port: port, trust: trust)
                try await body(server)
                try await server.answerOnceMore()
                return
            }
        }
    }

    /// Has one more connection answered: those before it, which a client may have left at once, are taken up by then. A
    /// server that is stopped while it has not taken one up ends the process (`NIOAsyncWriter` is gone unfinished).
    private func answerOnceMore() async throws {
        let client = HTTPClient(configuration: HTTPClient.Configuration(tlsConfiguration: trust))
        let request = HTTPClientRequest(url: "https://127.0.0.1:\(port)/")
        let answer = try? await client.execute(request, timeout: .seconds(30))
        try await client.shutdown()
        #expect(answer != nil)
    }

    private static func identity() throws -> (NIOSSLCertificate, NIOSSLPrivateKey) {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName("key server") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: .init(key.publicKey),
            notValidBefore: Date(timeIntervalSinceNow: -3600),
            notValidAfter: Date(timeIntervalSinceNow: 3600),
            issuer: subject,
            subject: subject,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                SubjectAlternativeNames([
                    .dnsName(name), .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
                ])
            },
            issuerPrivateKey: .init(key)
        )
        return (
            try NIOSSLCertificate(bytes: Array(certificate.serializeAsPEM().pemString.utf8), format: .pem),
            try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)
        )
    }
}

/// Counts what happens in a server or a resolver.
final class Tally: Sendable {
    private let notes = Mutex<[String]>([])

    /// What was noted, in order.
    var all: [String] { notes.withLock { $0 } }

    func note(_ text: String) { notes.withLock { $0.append(text) } }
}
