import Crypto
import MartletTesting
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("Credentials in forms") struct CredentialFormTests {
    static let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
    static let certificate = "-----BEGIN CERTIFICATE-----\nBBBB\n-----END CERTIFICATE-----\n"

    @Test("a file is told by what is in it")
    func kinds() {
        #expect(CredentialFile(Array(Self.key.utf8)) == .signingKey(pem: Self.key))
        let both = CredentialFile(Array("Bag Attributes\n\(Self.certificate)Key Attributes\n\(Self.key)".utf8))
        #expect(both == .certificate(pem: Self.certificate, privateKey: Self.key))
        #expect(CredentialFile(Array("\n {\"a\":1}".utf8)) == .serviceAccount(json: "\n {\"a\":1}"))
        #expect(CredentialFile([0x30, 0x82, 1]) == .pkcs12(bytes: [0x30, 0x82, 1]))
        for other in ["", "hello", "0", "0\u{80}", Self.certificate] {
            #expect(CredentialFile(Array(other.utf8)) == nil)
        }
        #expect(CredentialFile([0xFF, 0xFE, 0x00]) == nil)
    }

    @Test(
        "the key's id is in the name of Apple's file and of no other",
        arguments: [
            ("AuthKey_ABCDE12345.p8", "ABCDE12345"), ("AuthKey_abcde12345.p8", nil), ("AuthKey_ABC.p8", nil),
            ("key.p8", nil), ("AuthKey_ABCDE12345.pem", nil), ("", nil),
        ] as [(String, String?)]
    )
    func names(name: String, id: String?) { #expect(CredentialFile.keyID(in: name) == id) }

    private func form(_ fields: [(String, String)], file: (name: String, text: String)? = nil) throws -> CredentialForm
    {
        var body = ""
        for (name, value) in fields {
            body += "--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        if let file {
            body += "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(file.name)\"\r\n\r\n"
            body += file.text + "\r\n"
        }
        let form = try FormValues(multipart: Array((body + "--x--\r\n").utf8), boundary: "x")
        return CredentialForm(form, file: form.files["file"], password: "")
    }

    @Test("a signing key needs what is not in it, and its id may come from the file's name")
    func signingKey() throws {
        let file = (name: "AuthKey_ABCDE12345.p8", text: Self.key)
        let drafts = try form([("bundle_id", "com.example.app"), ("team_id", "TEAM123456")], file: file).drafts()
        #expect(drafts.count == 1 && drafts[0].isURLOfOperator)
        guard case .apns(.signingKey(_, let keyID, let teamID), let bundleID) = drafts[0].secret else {
            Issue.record("It is another credential.")
            return
        }
        #expect((keyID, teamID, bundleID) == ("ABCDE12345", "TEAM123456", "com.example.app"))
        for (fields, missing) in [
            ([], "bundle_id"), ([("bundle_id", "a")], "team_id"),
            ([("bundle_id", "a"), ("team_id", "b"), ("url", "http://x")], "url"),
        ] as [([(String, String)], String)] {
            let failure = #expect(throws: Failure.self) { try form(fields, file: file).drafts() }
            #expect(failure?.detail.field == missing)
        }
    }

    @Test("Apple's file says its key's id, whatever stands in the field; another file's is in the field")
    func keyID() throws {
        let fields = [("bundle_id", "a"), ("team_id", "TEAM123456"), ("key_id", "OLD1234567")]
        for (name, keyID) in [("AuthKey_ABCDE12345.p8", "ABCDE12345"), ("key.p8", "OLD1234567")] {
            let drafts = try form(fields, file: (name, Self.key)).drafts()
            guard case .apns(.signingKey(_, let found, _), _) = drafts[0].secret else {
                Issue.record("It is another credential.")
                return
            }
            #expect(found == keyID, "\(name)")
        }
    }

    @Test("an address, certificates to trust and a bundle id that were not changed stay each environment's own")
    func addresses() throws {
        func stored(_ environment: Environment, _ url: String?, _ trust: String?) -> Credential {
            Credential(
                row: RowID(1),
                app: RowID(1),
                platform: .apns,
                environment: environment,
                summary: CredentialSummary(
                    kind: .token,
                    topic: environment == .production ? "a" : "a.dev",
                    keyID: nil,
                    teamID: nil,
                    expiresAt: nil
                ),
                sealed: [],
                url: url,
                trust: trust,
                createdAt: Timestamp(milliseconds: 0)
            )
        }
        let known = [
            stored(.production, "https://a:1", "one\ntwo\n"), stored(.sandbox, "https://a:2", "three\n"),
        ]
        func draft(_ fields: [(String, String)], in environment: Environment) throws -> CredentialDraft {
            let own = [("team_id", "b"), ("key_id", "c")] + fields
            let form = try form(own + [("bundle_id", "a")], file: ("key.p8", Self.key))
            return form.draft(try form.drafts()[0], for: environment, among: known)
        }
        func bundleID(_ fields: [(String, String)], in environment: Environment) throws -> String? {
            guard case .apns(_, let bundleID) = try draft(fields, in: environment).secret else { return nil }
            return bundleID
        }
        let unchanged = [("replaces", "production"), ("url", "https://a:1"), ("trust", "one\r\ntwo\r\n")]
        #expect(try draft(unchanged, in: .production).trust == "one\ntwo\n")
        #expect(try draft(unchanged, in: .sandbox).url == "https://a:2")
        #expect(try draft(unchanged, in: .sandbox).trust == "three\n")
        let changed = [("replaces", "production"), ("url", "https://b"), ("trust", "four")]
        for environment in [Environment.production, .sandbox] {
            #expect(try draft(changed, in: environment).url == "https://b")
            #expect(try draft(changed, in: environment).trust == "four")
        }
        let emptied = [("replaces", "production")]
        #expect(try draft(emptied, in: .sandbox).url == nil && draft(emptied, in: .sandbox).trust == nil)
        // A page that shows none of them.
        #expect(try draft([], in: .sandbox).url == "https://a:2" && draft([], in: .sandbox).trust == "three\n")
        #expect(try bundleID([], in: .sandbox) == "a" && bundleID([], in: .production) == "a")
        #expect(try bundleID(unchanged, in: .sandbox) == "a.dev" && bundleID(unchanged, in: .production) == "a")
        let named = unchanged + [("bundle_id", "b")]
        #expect(try bundleID(named, in: .sandbox) == "b" && bundleID(named, in: .production) == "b")
    }

    @Test("a form may ask for a key for browsers beside a file, or for nothing")
    func drafts() throws {
        let file = (name: "shop.json", text: "{}")
        let drafts = try form([("vapid", "yes"), ("subject", "mailto:a@example.com")], file: file).drafts()
        #expect(drafts.map(\.platform) == [.fcm, .webpush])
        #expect(try form([("subject", "mailto:a@example.com")]).drafts().isEmpty)
        let failure = #expect(throws: Failure.self) { try form([], file: ("x.txt", "hello")).drafts() }
        #expect(failure?.detail.field == "file")
    }

    @Test(
        "a refusal names the form's field",
        arguments: [("key", "file"), ("topic", "bundle_id"), ("subject", "subject")]
    )
    func fields(draft: String, form: String) {
        #expect(CredentialForm.inWords(.invalid(draft, "No.")).detail.field == form)
    }
}

@Suite("Identity in forms") struct IdentityFormTests {
    private let vault = Vault(key: SymmetricKey(size: .bits256))

    private func app(_ verification: Identity.Verification? = nil) -> App {
        App(
            row: RowID(1),
            id: PublicID(high: 1, low: 1),
            name: "shop",
            identity: Identity(verification: verification),
            createdAt: Timestamp(milliseconds: 0)
        )
    }

    private func applied(_ text: String, to app: App) throws -> Identity {
        try IdentityForm(FormValues(urlEncoded: text)).applied(to: app, vault: vault)
    }

    @Test("signed identity wants a way to check tokens, and a present one stays")
    func signed() throws {
        let failure = #expect(throws: Failure.self) { try applied("mode=signed", to: app()) }
        #expect(failure?.detail.field == "mode")
        let known = app(.secret(sealed: [1]))
        let kept = try applied("mode=signed&issuer=me", to: known)
        #expect(kept.verification == .secret(sealed: [1]) && kept.issuer == "me" && kept.audience == nil)
    }

    @Test("a new secret is sealed; with another key set beside it neither is taken")
    func secrets() throws {
        let secret = String(repeating: "s", count: 32)
        let sealed = try applied("mode=signed&secret=\(secret)", to: app())
        guard case .secret(let bytes)? = sealed.verification else {
            Issue.record("It has no secret.")
            return
        }
        #expect(try vault.open(bytes, for: Identity.purpose(of: app().id)) == Array(secret.utf8))
        let url = "https%3A%2F%2Fa.example%2Fkeys"
        #expect(throws: Failure.self) { try applied("secret=\(secret)&jwks_url=\(url)", to: app()) }
        #expect(throws: Failure.self) { try applied("secret=short", to: app()) }
        let set = try applied("mode=signed&jwks_url=\(url)", to: app())
        #expect(set.verification == .keySetURL("https://a.example/keys"))
        #expect(try applied("mode=asserted", to: app(set.verification)).verification == nil)
    }
}
