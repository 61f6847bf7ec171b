import Crypto
import CryptoExtras
import Foundation
import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletProviders

/// Other people's libraries from PyPI read what we make.
@Suite("Libraries from PyPI read what we make", .timeLimit(.minutes(3)))
struct PartyTests {
    /// Runs a program of `python/` on some files.
    private func python(_ program: String, _ files: [Data], _ arguments: [String]) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var paths: [String] = []
        for (index, file) in files.enumerated() {
            let place = folder.appending(path: "\(index)")
            try file.write(to: place)
            paths.append(place.path)
        }
        let programs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let process = try ProgramProcess(
            ["python3", "-B", "-W", "ignore", programs.appending(path: "python/\(program).py").path]
                + arguments.map { $0.hasPrefix("@") ? paths[Int($0.dropFirst()) ?? 0] : $0 },
            executable: "/usr/bin/env"
        )
        let result = try await process.result()
        try #require(result.status == 0, "\(result.standardError)")
        return result.standardOutput
    }

    @Test(
        "http_ece opens ten thousand messages of every length that there may be",
        .enabled(if: Python.has("http_ece"), "python3 has no http_ece")
    )
    func sealed() async throws {
        let browser = TestBrowser()
        let subscription = browser.subscription()
        var records = Data()
        for number in 0..<10_000 {
            let length = number % (WebPushEncryption.limit + 1)
            let plaintext = (0..<length).map { UInt8(truncatingIfNeeded: number + 7 * $0) }
            // Every other one with its padding.
            let padded = number.isMultiple(of: 2) ? length : WebPushPadding.length(of: length)
            let body = try WebPushEncryption.seal(plaintext, paddedTo: padded, for: subscription)
            for count in [length, padded, body.count] {
                withUnsafeBytes(of: UInt32(count).bigEndian) { records.append(contentsOf: $0) }
            }
            records.append(contentsOf: body)
        }
        let auth = browser.auth.map { String(format: "%02x", $0) }.joined()
        let key = Data(browser.key.pemRepresentation.utf8)
        #expect(try await python("open_messages", [key, records], ["@0", auth, "@1"]) == "10000\n")
    }

    @Test("a message of one byte more than a push service must take is not sealed")
    func tooLong() {
        let most = [UInt8](repeating: 0, count: WebPushEncryption.limit)
        let subscription = TestBrowser().subscription()
        #expect((try? WebPushEncryption.seal(most, paddedTo: 0, for: subscription))?.count == 4_096)
        #expect(throws: WebPushEncryption.Unsealable.self) {
            try WebPushEncryption.seal(most + [0], paddedTo: 0, for: subscription)
        }
    }

    @Test(
        "PyJWT verifies the grant of a service account, and py-vapid a push's authorization",
        .enabled(if: Python.has("jwt, py_vapid"), "python3 has no jwt or py_vapid")
    )
    func signed() async throws {
        let account = try ServiceAccount(json: Account.text(), allowing: [])
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970) * 1_000)
        let grant = try TokenRequest.assertion(for: account, at: now)
        let key = VAPIDKey()
        let token = try VAPIDToken.make(
            key: key,
            origin: "https://updates.push.services.mozilla.com",
            subject: "mailto:push@example.com",
            at: now
        )
        let output = try await python(
            "verify_tokens",
            [Data(try Account.key.publicKey.pemRepresentation.utf8)],
            ["@0", grant, "https://oauth2.googleapis.com/token", WebPushRequest.authorization(token, key: key)]
        )
        let lines = output.split(separator: "\n")
        #expect(lines.last == "verified")
        let claims = try JSONValue(json: Data(#require(lines.first).utf8))
        #expect(
            claims == [
                "iss": "push@martlet-test.iam.gserviceaccount.com", "aud": "https://oauth2.googleapis.com/token",
                "scope": "https://www.googleapis.com/auth/firebase.messaging", "iat": .integer(now.seconds),
                "exp": .integer(now.seconds + 3_600),
            ]
        )
    }

    @Test(
        "every request to FCM fits the schema that Google publishes",
        .enabled(if: Python.has("googleapiclient, jsonschema"), "python3 has no googleapiclient or jsonschema")
    )
    func schema() async throws {
        let requests = try Self.submissions.map { try FCMRendering.request($0.0, to: $0.to, badge: $0.badge) }
        let output = try await python("fcm_schema", [JSONValue.array(requests).json()], ["@0"])
        #expect(output.split(separator: " ").last == "\(requests.count)\n")
    }

    /// Of each kind of request one.
    private static var submissions: [(Submission, to: String, badge: Int32?)] {
        let rich = Content(
            title: "T",
            subtitle: "S",
            body: "B",
            image: "https://e.example/i.png",
            deepLink: "https://e.example/a",
            badge: 3,
            sound: "chime",
            data: ["line": 4, "open": true, "list": [1, "x"], "name": "n"]
        )
        let override: JSONValue = [
            "android": [
                "collapseKey": "c", "ttl": "3.5s", "directBootOk": true,
                "notification": [
                    "channelId": "lines", "color": "#00ff7f", "sound": .null, "sticky": true,
                    "eventTime": "2026-01-02T03:04:05Z", "notification_priority": "PRIORITY_HIGH",
                    "vibrate_timings": ["0.1s", "2s"],
                    "light_settings": [
                        "color": ["red": 1, "green": .number(0.5), "blue": 0, "alpha": 1], "light_on_duration": "1s",
                        "light_off_duration": "2s",
                    ],
                ],
            ],
            "webpush": ["notification": ["title": "W", "requireInteraction": true, "actions": [["action": "a"]]]],
            "apns": ["payload": ["aps": ["thread-id": "x"], "custom": [1, 2]]],
            "fcmOptions": ["analyticsLabel": "spring_1"],
        ]
        let end = Timestamp(milliseconds: 1_700_000_600_000)
        var own = Rendering.submission(Content(title: "T"))
        own.badges = ["ann": 4]
        var identified = Rendering.submission(Content(title: "T"))
        identified.hasDeliveryID = true
        let whole: JSONValue = ["message": ["data": ["k": 1], "android": ["priority": "HIGH"]], "validate_only": true]
        let token = FCMRendering.token
        return [
            (Rendering.submission(rich), token, nil),
            (Rendering.submission(rich, priority: .high, collapse: .id("k"), expiry: .at(end)), token, nil),
            (Rendering.submission(Content(data: ["k": "v"])), token, nil),
            (Rendering.submission(Content(title: "T", overrides: [.fcm: override])), token, nil),
            (Rendering.submission(Content(title: "T", overrides: [.fcm: whole])), token, nil),
            (Rendering.submission(Content(title: "T"), dedup: Dedup(key: "line-4")), "cVcCxZ1YTbmJ3bGVyJ3eXc", nil),
            (own, token, 4), (own, token, nil), (identified, token, nil),
        ]
    }
}
