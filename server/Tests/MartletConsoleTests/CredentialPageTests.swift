import Crypto
import HTTPTypes
import MartletPipeline
import MartletStore
import MartletWire
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

extension Visitor {
    /// Sends a form with a credential's file.
    fileprivate func upload(
        _ path: String,
        file: (name: String, text: String),
        _ fields: [(String, String)]
    ) async throws -> Answer {
        var body = ""
        for (name, value) in fields + [("csrf", csrf)] {
            body += "--xYz\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        body += "--xYz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(file.name)\"\r\n\r\n"
        return try await send(path, Array((body + file.text + "\r\n--xYz--\r\n").utf8))
    }
}

@Suite("A key that is replaced") struct CredentialReplacementTests {
    /// A certificate authority, made with openssl; nobody has its key.
    private static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBiTCCAS+gAwIBAgIUCurrCbJAbcMM/ZMfmseEL9LCZ3cwCgYIKoZIzj0EAwIw
        GTEXMBUGA1UEAwwOdGVzdCBhdXRob3JpdHkwIBcNMjYxMTI4MjI0MzE0WhgPMjEy
        NjExMDQyMjQzMTRaMBkxFzAVBgNVBAMMDnRlc3QgYXV0aG9yaXR5MFkwEwYHKoZI
        zj0CAQYIKoZIzj0DAQcDQgAELvMyC6Xx5xBC6ClCfSPcDKjhstojg78/O7HjzBpB
        jlPDCgOh2E0SBKHfomeLQRVKmF1qEflPQRAByz/T8j2i+qNTMFEwHQYDVR0OBBYE
        FHxQnRiMhAwyWaOHXLawJTyYAsOTMB8GA1UdIwQYMBaAFHxQnRiMhAwyWaOHXLaw
        JTyYAsOTMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIga4/XRvOw
        gsRYrSr/Up8a7T0N1YRlgOv4H1TqbPj98vsCIQDADnw2HLZ08vFjG/lPEEL1aM/9
        gZaVL+ZupPRWjqfMaA==
        -----END CERTIFICATE-----
        """

    /// A push certificate of com.example.shop with Apple's mark for the sandbox alone, made with openssl, and its key.
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIB9DCCAZugAwIBAgIUEYhu5YvsTzznUQfoqyEyAwZI2kEwCgYIKoZIzj0EAwIw
        RjEgMB4GCgmSJomT8ixkAQEMEGNvbS5leGFtcGxlLnNob3AxDTALBgNVBAMMBHB1
        c2gxEzARBgNVBAsMClRFQU0xMjM0NTYwIBcNMjYxMTI5MDgyNDU2WhgPMjEyNjEx
        MDUwODI0NTZaMEYxIDAeBgoJkiaJk/IsZAEBDBBjb20uZXhhbXBsZS5zaG9wMQ0w
        CwYDVQQDDARwdXNoMRMwEQYDVQQLDApURUFNMTIzNDU2MFkwEwYHKoZIzj0CAQYI
        KoZIzj0DAQcDQgAE2HKErwXy1xgVmAFNe53J5sp+aPvjcYId3DmEvwSTdv4vXXkg
        djHBnNa3I5RTCP21SiZgH1O+R41GOX/9vp830aNlMGMwHQYDVR0OBBYEFEWLSRLj
        WGd1+jUQif/fP33wQ/FQMB8GA1UdIwQYMBaAFEWLSRLjWGd1+jUQif/fP33wQ/FQ
        MA8GA1UdEwEB/wQFMAMBAf8wEAYKKoZIhvdjZAYDAQQCBQAwCgYIKoZIzj0EAwID
        RwAwRAIgSXE2aOmHn3Fxokvz44n86Xk85+pM7NBSN5b8losNV9UCIDLzPbUieI5x
        rc6ZtGaT+wLZ/oRW4hrxQvml9L3Yioh3
        -----END CERTIFICATE-----
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgowPG8f3UZ1VMteav
        yHvciOklUE8fqJVVUX81EIlC+xmhRANCAATYcoSvBfLXGBWYAU17ncnmyn5o++Nx
        gh3cOYS/BJN2/i9deSB2McGc1rcjlFMI/bVKJmAfU75HjUY5f/2+nzfR
        -----END PRIVATE KEY-----
        """

    /// The app's credentials for both environments, with an address where nobody listens.
    private static func store(
        _ harness: Harness,
        trust: String,
        inProduction bundleID: String = "com.example.shop"
    ) async throws {
        for environment in [Environment.production, .sandbox] {
            let draft = CredentialDraft(
                .apns(
                    .signingKey(
                        pem: P256.Signing.PrivateKey().pemRepresentation,
                        keyID: "OLD1234567",
                        teamID: "TEAM123456"
                    ),
                    bundleID: environment == .production ? bundleID : "com.example.shop"
                ),
                url: "https://127.0.0.1:9",
                trust: trust
            )
            _ = try await harness.console.credentials.store(draft, app: harness.app, environments: [environment])
        }
    }

    @Test("is replaced in both environments, by the id in the file's name, with its trust, and is tried at once")
    func replaced() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            let trust = Self.authority
            try await Self.store(harness, trust: trust)
            let app = try await admin.get("/apps/\(harness.app.id)").text
            let link = try #require(app.firstMatch(of: /href="\/console(\/apps\/[^"]*environment=production[^"]*)"/)).1
            let page = try await admin.get(String(link).replacing("&amp;", with: "&"))
            #expect(page.text.contains("shop: replace the credential of Apple (APNs)</h1>"), "\(page.text)")
            #expect(page.hidden("key_id") == "" && page.hidden("team_id") == "TEAM123456")
            #expect(page.text.contains("-----BEGIN CERTIFICATE-----"))
            let file = (name: "AuthKey_NEW1234567.p8", text: P256.Signing.PrivateKey().pemRepresentation)
            let fields = [
                ("platform", "apns"), ("replaces", page.hidden("replaces")), ("bundle_id", page.hidden("bundle_id")),
                ("key_id", "OLD1234567"), ("team_id", page.hidden("team_id")), ("environment", ""),
                ("url", page.hidden("url")), ("trust", trust),
            ]
            let stored = try await admin.upload("/apps/\(harness.app.id)/credentials", file: file, fields)
            #expect(
                stored.location == "/console/apps/\(harness.app.id)/findings?done=credential_stored",
                "\(stored.text)"
            )
            let known = try await harness.store.credentials(harness.app.row)
            #expect(known.map(\.summary.keyID) == ["NEW1234567", "NEW1234567"])
            #expect(
                known.map(\.trust) == [trust, trust]
                    && known.map(\.url) == ["https://127.0.0.1:9", "https://127.0.0.1:9"]
            )
            let said = try await admin.follow(stored).text
            #expect(said.contains("The credential was stored.") && said.contains("Apple (APNs), production"))
            #expect(said.contains("Apple (APNs), sandbox") && said.matches(of: /No connection/).count == 2, "\(said)")
        }
    }

    @Test(
        "a certificate takes the place of those alone that it is for",
        arguments: ["com.example.shop", "com.example.other"]
    )
    func certificate(inProduction bundleID: String) async throws {
        try await Harness.run { harness in
            try await Self.store(harness, trust: Self.authority, inProduction: bundleID)
            let stored = try await harness.visitor(.admin).upload(
                "/apps/\(harness.app.id)/credentials",
                file: ("shop.pem", Self.certificate),
                [
                    ("platform", "apns"), ("replaces", "sandbox"), ("bundle_id", "com.example.shop"),
                    ("environment", ""), ("url", "https://127.0.0.1:9"), ("trust", Self.authority),
                ]
            )
            #expect(stored.status == 303, "\(stored.text)")
            let known = try await harness.store.credentials(harness.app.row)
            let kinds = Dictionary(known.map { ($0.environment, $0.summary.kind) }) { $1 }
            #expect(kinds == [.production: .token, .sandbox: .certificate])
            #expect(known.first { $0.environment == .production }?.summary.topic == bundleID)
        }
    }

    @Test("is asked for on the page of problems as on the app's: for all environments, with what is stored of it")
    func problems() async throws {
        try await Harness.run { harness in
            try await Self.store(harness, trust: Self.authority)
            try await harness.world.register(harness.app, 1, user: "ann")
            let queue = DeliveryQueue(app: harness.app.row, platform: .apns, environment: .production)
            _ = try await SaidPageTests.pause(queue, harness, advice: "Mend.")
            let page = try await harness.visitor(.admin).get("/problems")
            #expect(page.hidden("replaces") == "production" && page.hidden("key_id") == "", "\(page.text)")
            #expect(page.hidden("url") == "https://127.0.0.1:9" && page.text.contains("-----BEGIN CERTIFICATE-----"))
            #expect(!page.text.contains("<option value=\"production\" selected>"))
        }
    }

    @Test("its file is looked at, and refused, without being chosen again; no page has anything of it to read")
    func kept() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            try await Self.store(harness, trust: Self.authority)
            let pem = P256.Signing.PrivateKey().pemRepresentation
            let secret = try #require(pem.split(separator: "\n").dropFirst().first)
            let path = "/apps/\(harness.app.id)/credentials"
            var fields = [
                ("platform", "apns"), ("replaces", "production"), ("bundle_id", "com.example.shop"), ("team_id", ""),
                ("url", "https://127.0.0.1:9"),
            ]
            let refused = try await admin.upload(path, file: ("AuthKey_NEW1234567.p8", pem), fields)
            #expect(refused.status == 422 && refused.text.contains("AuthKey_NEW1234567.p8"), "\(refused.text)")
            #expect(!refused.text.contains(secret) && !refused.text.contains("choose it again"))
            fields[3].1 = "TEAM123456"
            func post(_ path: String, _ page: Visitor.Answer, by visitor: Visitor) async throws -> Visitor.Answer {
                let all = fields + [("kept_file", page.hidden("kept_file")), ("csrf", visitor.csrf)]
                let body = all.map { "\($0.0)=\(Link.escaped($0.1))" }.joined(separator: "&")
                return try await visitor.send(.post, path, body)
            }
            let look = try await post("\(path)/look", refused, by: admin)
            #expect(look.text.contains("<code>NEW1234567</code>") && look.text.contains("Nothing is stored yet."))
            #expect(look.text.contains("Apple (APNs), production") && look.text.contains("Apple (APNs), sandbox"))
            #expect(!look.text.contains(secret) && !look.hidden("kept_file").isEmpty)
            // Another operator's is none.
            let other = try await harness.visitor(.admin, named: "other")
            #expect(try await post(path, look, by: other).status == 422)
            #expect(try await post(path, look, by: admin).status == 303)
            let known = try await harness.store.credentials(harness.app.row)
            #expect(known.map(\.summary.keyID) == ["NEW1234567", "NEW1234567"])
            harness.clock.advance(by: .seconds(3_600))
            #expect(try await post(path, look, by: admin).status == 422)
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
