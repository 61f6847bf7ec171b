import Logging
import MartletTransport
import NIOCore
import NIOSSL
import Synchronization
import Testing

/// What a connection that cannot be opened says.
@Suite(.timeLimit(.minutes(4)))
struct ConnectTests {
    private func connect(
        _ port: Int,
        _ change: (inout HTTP2ClientConfiguration) throws -> Void = { _ in }
    ) async throws -> HTTP2ConnectError {
        let configuration = try HTTP2ClientConfiguration.loopback(port: port, change)
        do {
            let connection = try await HTTP2ClientConnection.connect(
                configuration,
                group: .singletonMultiThreadedEventLoopGroup,
                logger: .quiet
            )
            await connection.close()
            throw Opened()
        } catch let error as HTTP2ConnectError {
            return error
        }
    }

    private struct Opened: Error {}

    @Test func aRefusedConnectionIsAConnectError() async throws {
        let refusing = try RefusingPort()

        let error = try await self.connect(refusing.port)

        #expect(error.phase == .connect)
        #expect(error.port == refusing.port)
        #expect(error.reason == "connection refused", "\(error)")
    }

    @Test func aNameWithoutAnAddressIsAResolveError() async throws {
        // RFC 6761, section 6.4: names under "invalid" never exist.
        let error = try await self.connect(1) { $0.host = "nowhere.invalid" }
        #expect(error.phase == .resolve)
        #expect(error.reason == "the name nowhere.invalid cannot be resolved")
    }

    @Test func anAddressIsJudgedAtEachConnection() async throws {
        try await ScriptedServer.with { server in
            let isAllowed = Mutex(true)
            for host in ["127.0.0.1", "localhost"] {
                let connection = try await server.connect { configuration in
                    configuration.host = host
                    configuration.refusal = { _ in isAllowed.withLock { $0 } ? nil : "loopback" }
                }
                #expect(await connection.send(.plain, path: "/").status == 200)
                await connection.close()
            }
            isAllowed.withLock { $0 = false }
            for host in ["127.0.0.1", "localhost"] {
                for port in [server.server.port, 1] {
                    let error = try await self.connect(port) { configuration in
                        configuration.host = host
                        configuration.refusal = { _ in isAllowed.withLock { $0 } ? nil : "loopback" }
                    }
                    #expect(error.phase == .forbidden)
                    #expect(error.reason.contains("loopback"), "\(error)")
                }
            }
        }
    }

    @Test func anUntrustedCertificateIsATLSError() async throws {
        try await ScriptedServer.with { server in
            let error = try await self.connect(server.server.port) { $0.tls = .makeClientConfiguration() }
            #expect(error.phase == .tls)
            #expect(error.certificate == .untrusted)
            #expect(error.reason == "nobody who is trusted here has signed the server's certificate")
        }
    }

    @Test func anExpiredCertificateSaysSoAndSince() async throws {
        try await ScriptedServer.with(certificate: "expired") { server in
            let error = try await self.connect(server.server.port)
            #expect(error.phase == .tls)
            guard case .expired? = error.certificate else { return #expect(Bool(false), "\(error)") }
            #expect(error.reason == "the server's certificate expired on 2021-01-02")
        }
    }

    @Test func aCertificateOfAnotherNameIsATLSError() async throws {
        try await ScriptedServer.with { server in
            let error = try await self.connect(server.server.port) { $0.serverHostname = "api.example.org" }
            #expect(error.phase == .tls)
            #expect(error.reason == "the server's certificate is for another host than api.example.org")
        }
    }

    @Test func aCertificateOfTheAddressDoesNotDoForAName() async throws {
        try await ScriptedServer.with(certificate: "address") { server in
            let error = try await self.connect(server.server.port)
            #expect(error.phase == .tls)
            #expect(error.reason.contains("localhost"), "\(error)")
            #expect(server.log.count == 0)
        }
    }

    @Test func aCertificateOfNameAndAddressDoesForBoth() async throws {
        try await ScriptedServer.with(certificate: "both") { server in
            for name in ["localhost", "LocalHost.", nil] {
                let connection = try await server.connect { $0.serverHostname = name }
                #expect(await connection.send(.plain, path: "/").status == 200)
                await connection.close()
            }
        }
    }

    @Test func namesAreNotComparedWhenTheyAreNotToBeVerified() async throws {
        try await ScriptedServer.with(certificate: "address") { server in
            let connection = try await server.connect { $0.tls.certificateVerification = .noHostnameVerification }
            #expect(await connection.send(.plain, path: "/").status == 200)
            await connection.close()
        }
    }

    @Test func anAddressIsVerifiedWithoutAName() async throws {
        try await ScriptedServer.with(certificate: "address") { server in
            let connection = try await server.connect { $0.serverHostname = nil }
            #expect(await connection.send(.plain, path: "/").status == 200)
            await connection.close()
        }
    }

    @Test func aPeerThatIsSilentBelowTLSIsATLSError() async throws {
        let server = try await RawTLSServer.start(isTLS: false)
        let error = try await self.connect(server.port) { $0.tlsTimeout = .milliseconds(100) }
        #expect(error.phase == .tls)
        #expect(error.reason == "no handshake within 100 ms")
        try await server.stop()
    }

    @Test(arguments: [[], ["http/1.1"]]) func aPeerWithoutH2IsAnALPNError(protocols: [String]) async throws {
        let server = try await RawTLSServer.start(protocols: protocols)
        #expect(try await self.connect(server.port).phase == .alpn)
        try await server.stop()
    }

    @Test func aPeerWithoutSettingsIsASettingsError() async throws {
        let server = try await RawTLSServer.start()
        // The handshake has to end in this time as well.
        let error = try await self.connect(server.port) { $0.tlsTimeout = .seconds(5) }
        #expect(error.phase == .settings)
        #expect(error.reason == "no SETTINGS within 5000 ms")
        try await server.stop()
    }

    @Test func aPeerThatSpeaksSomethingElseIsASettingsError() async throws {
        let server = try await RawTLSServer.start(atHandshake: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        #expect(try await self.connect(server.port).phase == .settings)
        try await server.stop()
    }

    @Test func anUnverifiedClientCertificateIsShownToTheHandler() async throws {
        var stranger = try Certificates.shared.get().client()
        let pair = try Certificates.shared.get().server()
        stranger.certificateChain = pair.certificateChain
        stranger.privateKey = pair.privateKey
        try await ScriptedServer.with(clientCertificates: .optionalUnverified) { [stranger] server in
            let connection = try await server.connect { $0.tls = stranger }
            #expect(await connection.send(.plain, path: "/").status == 200)
            #expect(server.log.connections.withLock { $0.first?.peerCertificate } != nil)
            await connection.close()
        }
    }

    @Test func aServerThatStopsAcceptingRefusesAndComesBackOnItsPort() async throws {
        try await ScriptedServer.with { server in
            let connection = try await server.connect()
            let port = server.server.port
            await server.server.stopAccepting()

            #expect(try await self.connect(port).phase == .connect)
            #expect(await connection.send(.plain, path: "/").status == 200)
            #expect(server.server.connectionCount == 1)

            try await server.server.resumeAccepting()
            let other = try await server.connect()
            #expect(await other.send(.plain, path: "/").status == 200)
            server.server.closeConnections()
            await connection.close()
            await other.close()
        }
    }
}
