import Crypto
import Foundation
import MartletTesting
import Testing

@testable import MartletSimulator

/// Other people's clients of FCM and of push services as they come from PyPI, each a process of its own.
@Suite("Clients of FCM and push services from PyPI", .timeLimit(.minutes(3)))
struct ServicePartyTests {
    /// Runs a program of `python/`, which trusts the authority however its libraries are told to.
    private func python(_ program: String, _ authority: String, _ arguments: [String]) async throws -> CommandResult {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let trust = try TemporaryFile(authority)
        return try await run(
            [
                "env", "SSL_CERT_FILE=\(trust.path)", "REQUESTS_CA_BUNDLE=\(trust.path)",
                "HTTPLIB2_CA_CERTS=\(trust.path)", "timeout", "60", "python3", "-B",
                folder.appending(path: "python/\(program).py").path,
            ] + arguments
        )
    }

    @Test(
        "clients of FCM send, and raise their own errors at our answers",
        arguments: FCMParty.allCases
    )
    func fcm(party: FCMParty) async throws {
        let simulator = try await FCMSimulator.start()
        let account = try TemporaryFile(simulator.makeAccount(project: "shop").json)
        let tokens = ["x", "u", "s"].map { "abcdefghijklmnopqrstuv:APA91b" + String(repeating: $0, count: 60) }
        simulator.register(FCMDevice(token: tokens[1], state: .unregistered))
        simulator.register(FCMDevice(token: tokens[2], project: "other"))
        let arguments = [simulator.url, account.path] + tokens + ["malformed"]
        let result = try await python("fcm_\(party.rawValue)", simulator.authorityPEM, arguments)
        #expect(result.output == party.output, "\(result.errors)")
        let sends = simulator.received().filter { $0.path.contains("messages:send") }
        #expect(sends.map(\.status) == [200, 404, 403, 400])
        await simulator.shutdown()
    }

    @Test(
        "what others seal and sign is opened and taken, and a key that is not the subscription's is refused",
        arguments: WebPushParty.allCases
    )
    func webPush(party: WebPushParty) async throws {
        let simulator = try await WebPushSimulator.start()
        let server = WebPushFixture()
        let key = try TemporaryFile(server.key.pemRepresentation)
        let text = #"{"title":"Grüße"}"#
        let made = [server.publicKey, WebPushFixture().publicKey].map { simulator.subscribe(key: $0) }
        let subscriptions = made.compactMap { $0 }
        let documents = try subscriptions.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        let arguments = [key.path, text] + documents
        let result = try await python("webpush_\(party.rawValue)", simulator.authorityPEM, arguments)
        #expect(result.output == "201\n403\n", "\(result.errors)")
        #expect(simulator.messages(of: subscriptions[0].id).map { $0.payload?["title"] } == [.string("Grüße")])
        #expect(simulator.received().map(\.protocol) == [party.protocolName, party.protocolName])
        await simulator.shutdown()
    }
}

enum FCMParty: String, CaseIterable, Sendable {
    case firebase_admin, googleapiclient, pyfcm, async_firebase
    /// No client of FCM: a grant that PyJWT signs, and httpx.
    case pyjwt

    /// What its program writes: an accepted message, an unregistered token, another sender's, a malformed one.
    var output: String {
        let lines =
            switch self {
            case .firebase_admin, .async_firebase:
                ["accepted", "UnregisteredError", "SenderIdMismatchError", "InvalidArgumentError"]
            case .pyfcm:
                ["accepted", "FCMNotRegisteredError", "FCMSenderIdMismatchError", "InvalidDataError"]
            case .googleapiclient, .pyjwt:
                ["accepted", "404 UNREGISTERED", "403 SENDER_ID_MISMATCH", "400 INVALID_ARGUMENT"]
            }
        return lines.map { $0 + "\n" }.joined()
    }
}

enum WebPushParty: String, CaseIterable, Sendable {
    case pywebpush, http_ece

    var protocolName: String { self == .pywebpush ? "http/1.1" : "h2" }
}

/// A file that is gone when the test lets go of it.
final class TemporaryFile: Sendable {
    let path: String

    init(_ text: String) throws {
        path = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID().uuidString)").path
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
