import Testing

@testable import MartletConsole
@testable import MartletCore
@testable import MartletTesting

@Suite("The pages of credentials") struct CredentialPageTests {
    @Test("a credential that is replaced is named, and asked for with its provider's fields alone")
    func fields() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            _ = try await harness.world.makeQueue(harness.app)
            _ = try await harness.world.makeQueue(harness.app, platform: .fcm)
            let path = "/apps/\(harness.app.id)/credentials/new"
            let new = try await admin.get(path).text
            for field in ["file", "bundle_id", "vapid", "subject"] {
                #expect(new.contains("name=\"\(field)\""), "\(field)")
            }
            let apple = try await admin.get("\(path)?platform=apns&environment=production&bundle_id=com.example").text
            #expect(apple.contains("<h1>shop: replace the credential of Apple (APNs), production</h1>"))
            #expect(apple.contains("value=\"com.example\"") && !apple.contains("name=\"vapid\""))
            let google = try await admin.get("\(path)?platform=fcm&environment=production").text
            #expect(google.contains("<h1>shop: replace the credential of Firebase (FCM)</h1>"))
            #expect(google.contains("name=\"file\"") && !google.contains("name=\"bundle_id\""))
            #expect(!google.contains("name=\"password\"") && !google.contains("name=\"vapid\""))
            let browsers = try await admin.get("\(path)?platform=webpush&subject=mailto:a@example.com").text
            #expect(browsers.contains("value=\"mailto:a@example.com\"") && !browsers.contains("name=\"file\""))
            #expect(browsers.contains("type=\"hidden\" name=\"vapid\" value=\"yes\""))
            // There is none yet, so that nothing is replaced.
            #expect(!browsers.contains("replace the credential"))
        }
    }

    @Test("a replacement that is refused is still one, with what was typed")
    func refused() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            for path in ["credentials", "credentials/look"] {
                let answer = try await admin.post(
                    "/apps/\(harness.app.id)/\(path)",
                    ["platform": "apns", "environment": "production", "bundle_id": "com.example"]
                )
                #expect(answer.status == 422 && answer.text.contains("role=\"alert\""), "\(path)")
                #expect(answer.text.contains("replace the credential of Apple (APNs), production"), "\(path)")
                #expect(answer.text.contains("value=\"com.example\"") && !answer.text.contains("name=\"vapid\""))
            }
        }
    }
}

@Suite("What the doctor found, in groups") struct FindingGroupTests {
    private let english = Texts(preferred: ["en"])

    @Test(
        "a subject begins with its queue or its provider",
        arguments: [
            ("apns/production clock", .apns, .production, "clock"), ("apns/sandbox", .apns, .sandbox, ""),
            ("webpush VAPID key", .webpush, nil, "VAPID key"),
            ("fcm/production other services", .fcm, .production, "other services"),
        ] as [(String, Platform, Environment?, String)]
    )
    func places(subject: String, platform: Platform, environment: Environment?, noun: String) throws {
        let place = try #require(FindingPlace(subject))
        #expect(place.platform == platform && place.environment == environment && place.noun == noun)
    }

    @Test(
        "what is of the whole app has no queue",
        arguments: ["credentials", "quarantined work", "apns/moon clock", ""]
    )
    func placeless(subject: String) { #expect(FindingPlace(subject) == nil) }

    @Test("findings stand below their queue without its name, and one piece of advice stands once")
    func groups() throws {
        let findings = [
            Finding(.problem, "shop apns/production", "Paused: Bad.", advice: "Mend."),
            Finding(.ok, "shop apns/sandbox clock", "It is right."),
            Finding(.problem, "shop apns/production authentication", "Refused.", advice: "Mend."),
            Finding(.warning, "shop quarantined work", "Work crashed.", advice: "Look."),
        ]
        let groups = FindingGroups(findings, of: "shop", english).values
        let heads = groups.map { ($0["group_heads"] as? [PageValues])?.first?["group_title"] as? String }
        #expect(heads == ["Apple (APNs), production", "Apple (APNs), sandbox", nil])
        let rows = groups.map { $0["findings"] as? [PageValues] ?? [] }
        #expect(rows.map(\.count) == [2, 1, 1])
        #expect(rows[0].map { $0["finding_subjects"] as? [String] } == [[], ["authentication"]])
        #expect(rows[0].map { $0["is_advised"] as? Bool } == [true, false])
        #expect(rows[0].map { $0["is_advised_above"] as? Bool } == [false, true])
        #expect(rows[2].map { $0["finding_subjects"] as? [String] } == [["shop quarantined work"]])
    }
}
