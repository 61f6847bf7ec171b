import Foundation
import Testing

@testable import PushNotificationSDKCore

@Suite("What diagnostics say to people") struct DiagnosticsReportTests {
    /// A device that is as it should be.
    private static let healthy: PushNotificationDiagnostics = {
        var known = PushNotificationDiagnostics(
            date: Date(timeIntervalSince1970: 1_772_366_400),
            apiURL: URL(string: "https://api.example.com")!
        )
        known.installationID = "01920000-0000-7000-8000-000000000001"
        known.deviceToken = "0123456789abcdef"
        known.isDeviceTokenFresh = true
        known.environment = .production
        known.permission = .authorized
        known.registeredAt = known.date
        known.isActive = true
        known.isUserSet = true
        known.user = "a"
        known.owners = ["a"]
        known.applicationDelegate = .automatic
        known.centerDelegate = .sdk
        known.hasNotificationHandler = true
        return known
    }()

    private static func push(_ id: String?, isHandled: Bool = true) -> PushNotificationDiagnostics.Entry {
        let push = PushNotificationDiagnostics.Push(
            arrival: .inFront,
            messageID: id,
            isCounted: id != nil,
            isHandled: isHandled
        )
        return .init(date: healthy.date, event: .push(push))
    }

    private typealias Change = @Sendable (inout PushNotificationDiagnostics) -> Void

    /// What brings each problem about, alone where that can be.
    private static func changes(_ problem: PushNotificationDiagnostics.Problem) -> [Change] {
        switch problem {
        case .deviceLocked: [{ $0.isStorageReadable = false }]
        case .permissionMissing: [{ $0.permission = .denied }, { $0.permission = .notDetermined }]
        case .delegateReplaced: [{ $0.applicationDelegate = .removed }, { $0.centerDelegate = .removed }]
        case .notForwarded:
            [
                { ($0.applicationDelegate, $0.isDeviceTokenFresh) = (.app, false) },
                { ($0.applicationDelegate, $0.isDeviceTokenFresh) = (.noDelegate, false) },
            ]
        case .deviceTokenMissing: [{ $0.isDeviceTokenFresh = false }]
        case .notRegistered: [{ $0.registeredAt = nil }]
        case .switchedOff: [{ $0.isActive = false }]
        case .userTokenMissing: [{ ($0.owners, $0.needsUserToken) = ([], true) }]
        case .anotherOwner: [{ $0.owners = ["b"] }, { $0.owners = ["a", "b"] }, { $0.user = nil }]
        case .noHandler: [{ $0.hasNotificationHandler = false }]
        case .pushOfAnotherVendor: [{ $0.history = [push("m1", isHandled: false)] }]
        case .pushWithoutID: [{ $0.history = [push("m1"), push(nil)] }]
        }
    }

    @Test("each problem is found, and what to do is said in both languages", arguments: problems)
    func findsProblem(_ problem: PushNotificationDiagnostics.Problem) throws {
        #expect(Self.healthy.problems == [])
        for change in Self.changes(problem) {
            var known = Self.healthy
            change(&known)
            #expect(known.problems.contains(problem))
            let more: [PushNotificationDiagnostics.Problem] =
                switch problem {
                case .notForwarded: [.notForwarded, .deviceTokenMissing]
                case .userTokenMissing: [.userTokenMissing, .anotherOwner]
                default: [problem]
                }
            #expect(known.problems == more)
            for language in ErrorLanguage.allCases {
                let said = DiagnosticsWords(language).text(of: problem)
                #expect(DiagnosticsReport(known, in: language).text.contains("\(said.description): \(said.suggestion)"))
            }
        }
        let (english, japanese) = (DiagnosticsWords(.english), DiagnosticsWords(.japanese))
        for text in [english.text(of: problem).description, english.text(of: problem).suggestion] {
            #expect(!text.isEmpty && text.utf8.allSatisfy { $0 < 0x80 } && !text.contains("\n"))
        }
        for text in [japanese.text(of: problem).description, japanese.text(of: problem).suggestion] {
            #expect(text.unicodeScalars.contains { $0.value > 0x3000 } && !text.contains("\n"))
        }
    }

    private static let problems = PushNotificationDiagnostics.Problem.allCases

    @Test("a user of whom nobody said anything, and an owner of whom the server did not, are no problem")
    func unknownOwner() {
        var known = Self.healthy
        known.owners = nil
        #expect(known.problems == [])
        known.owners = ["b"]
        known.isUserSet = false
        #expect(known.problems == [])
    }

    /// Whom the server may take for the owner, who is logged in, and what is said of it in both languages.
    private static let owners: [([String], String?, String, String)] = [
        (["a"], "a", "a", "a"),
        (["b"], "a", "another user", "別のユーザー"),
        (["b", "a"], "a", "a or another user", "aまたは別のユーザー"),
        (["b", "c"], "a", "another user", "別のユーザー"),
        (["b"], nil, "another user", "別のユーザー"),
        ([], "a", "nobody", "なし"),
    ]

    @Test("of the users whom the server may take for the owner the text names only who is logged in", arguments: 0..<6)
    func owner(_ index: Int) {
        let (owners, user, english, japanese) = Self.owners[index]
        var known = Self.healthy
        known.owners = owners
        known.user = user
        let texts = ErrorLanguage.allCases.map { DiagnosticsReport(known, in: $0).text }
        #expect(texts.contains { $0.contains("\n  Owner at the server: \(english)\n") })
        #expect(texts.contains { $0.contains("\n  サーバーでの所有者: \(japanese)\n") })
    }

    @Test("the text has a part for each thing, with the token's beginning and the newest event first")
    func text() {
        var known = Self.healthy
        let late = PushNotificationError.networkError(TransportError.timedOut)
        known.history = [
            .init(date: known.date, event: .answer(request: "POST /p", status: 401, code: "unauthorized")),
            .init(date: known.date, event: .noAnswer(request: "POST /q", error: late)),
            .init(date: known.date, event: .error(.invalidToken)), Self.push("m1"),
        ]
        let lines = DiagnosticsReport(known, in: .english).text.split(separator: "\n").map(String.init)
        #expect(lines.first == "Problems" && lines[1] == "  Problems: the device knows of none")
        #expect(lines.contains("  Device token: 01234567…") && lines.contains("  Environment: production"))
        #expect(lines.contains("  App delegate: the app's, with the SDK's methods"))
        #expect(
            lines.suffix(4) == [
                "  2026-03-01T12:00:00.000Z: push m1, came in front",
                "  2026-03-01T12:00:00.000Z: The device token is not valid.",
                "  2026-03-01T12:00:00.000Z: POST /q: The server could not be reached: the time was over.",
                "  2026-03-01T12:00:00.000Z: POST /p: 401 unauthorized",
            ]
        )
        let japanese = DiagnosticsReport(known, in: .japanese)
        #expect(japanese.sections.count == 6 && japanese.sections.allSatisfy { !$0.lines.isEmpty })
        for section in japanese.sections { #expect(section.title.unicodeScalars.contains { $0.value > 0x3000 }) }
    }

    @Test("a test says how far it has come, and that it arrived once it is in the history")
    func testNotification() throws {
        func text(_ test: TestNotification, _ known: PushNotificationDiagnostics? = nil) -> String? {
            test.text(known, in: .english)
        }
        #expect(text(.notSent) == nil)
        var known = Self.healthy
        known.history = [Self.push("m1")]
        let said = [
            text(.sending), text(.sent(messageID: "m1"), Self.healthy), text(.sent(messageID: "m1"), known),
            text(.failed(.serverError(statusCode: 409, message: "No pushes are made to this device: device_off."))),
        ].compactMap(\.self)
        #expect(Set(said).count == 4)
        #expect(said[2] == "The test arrived." && said[3].contains("device_off"))
        #expect(TestNotification.sending.text(nil, in: .japanese) == "サーバーに依頼しています。")
    }
}
