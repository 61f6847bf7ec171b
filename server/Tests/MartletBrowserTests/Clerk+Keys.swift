import MartletTesting
import MartletWire
import Testing

/// The main paths of the pages about apps, keys, operators and what they did.
extension Clerk {
    func makesApp() async throws {
        try await go(to: "Apps and keys")
        try await follow("New app")
        try await sees("New app", in: "h1")
        try await fill("name", "hats")
        try await fill("bundle_id", "shop")
        try await fill("key_id", DeliveryStage.keyID)
        try await fill("team_id", DeliveryStage.teamID)
        try await choose("production", "environment")
        try await press("Another address than the provider's own, such as a simulator")
        try await fill("url", office.stage.simulator.apns)
        try await fill("trust", office.trust())
        try await attach(office.keyFile())
        if way != .withoutScripts { try await sees("Nothing is stored yet.") }
        try await press("Create the app")
        try await sees("The app was created.")
        // The providers are asked at once where scripts run.
        if way == .withoutScripts { try await follow("Ask the providers") }
        try await sees("fine")
        let stored = try await office.list("/apps/hats/credentials").compactMap(\.objectValue)
        #expect(stored.map { $0["environment"] } == ["production"])
    }

    func makesKeys() async throws {
        try await go(to: "Apps and keys")
        try await follow("API keys")
        try await sees("API keys", in: "h1")
        try await fill("name", "ci")
        try await pick("everything, for operators", "scope")
        try await choose("in 30 days", "expires_at")
        try await press("Create key")
        try await sees("The key was created")
        let key = try await browser.text(of: ".secret")
        let copies = try await browser.count("button[data-copy]:not([hidden])")
        #expect(copies == (way == .withoutScripts ? 0 : 1))
        #expect(try await office.answers(to: key) == 200)
        try await follow("I have stored it somewhere safe")
        try await sees("ci", in: "table")
        #expect(try await !browser.text().contains(key))
        try await press("Revoke… ci")
        try await press("Revoke it now", in: "//tr[contains(., 'ci')]")
        try await sees("The key was revoked.")
        #expect(try await office.answers(to: key) == 401)
        try await makesAccessKey()
    }

    private func makesAccessKey() async throws {
        try await follow("Access keys for SNS")
        try await sees("Access keys for SNS", in: "h1")
        try await fill("name", "boto")
        try await choose("in a year", "expires_at")
        try await press("Create key")
        try await sees("The access key was created")
        #expect(try await browser.count(".secret") == 2)
        try await follow("I have stored it somewhere safe")
        try await press("Revoke… boto")
        try await press("Revoke it now", in: "//tr[contains(., 'boto')]")
        try await sees("The key was revoked.")
        let keys = try await office.list("/access-keys").compactMap(\.objectValue)
        #expect(keys.count == 1 && keys.allSatisfy { $0["revoked_at"]?.stringValue != nil }, "\(keys)")
    }

    /// The link is opened in the browser in which the admin is signed in still.
    func invites() async throws {
        try await go(to: "Operators")
        try await fill("name", "dora")
        try await pick("Also sends", "role")
        try await press("Create link")
        try await sees("dora is invited")
        let link = try await browser.text(of: "#link")
        try await browser.open(link.hasPrefix("/") ? office.server.address + link : link)
        try await fill("password", Self.words)
        try await fill("again", Self.words)
        try await press("Sign in")
        try await sees("dora", in: ".who")
        try await signIn("admin", Office.password)
        try await go(to: "Operators")
        try await choose("viewer", "role", in: "//tr[contains(., 'dora')]")
        try await press("Set the role dora")
        try await sees("The operator was changed.")
        let roles = try await office.list("/operators").compactMap(\.objectValue).map { $0["role"] }
        #expect(roles == ["admin", "viewer"])
        try await follow("Sessions")
        try await sees("Everybody who is signed in.")
        try await sees("this one", in: "table")
    }

    /// Has in it who gave the role.
    func readsAuditLog() async throws {
        try await go(to: "Audit log")
        try await choose("operator: changed", "action")
        try await press("Show")
        try await arrives(at: "action=operator.update")
        try await sees("dora", in: "tbody")
        try await sees("viewer", in: "tbody")
        try await sees("admin", in: "tbody")
        #expect(try await browser.count("tbody tr") == 1)
        #expect(try await office.list("/audit?action=operator.update").count == 1)
    }

    func changesPassword() async throws {
        try await follow("admin", in: "//header")
        try await sees("Your account", in: "h1")
        try await fill("current", Office.password)
        try await fill("password", Self.words)
        try await fill("again", Self.words)
        try await press("Change the password")
        try await sees("The password was changed.")
        try await signIn("admin", Self.words)
    }

    /// Another password.
    private static let words = "a horse that stands correctly"
}

extension Office {
    /// The status with which the server answers whoever has this key.
    fileprivate func answers(to key: String) async throws -> Int {
        try await LocalCall.send("GET", server.address + "/api/v1/apps", key: key).status
    }
}
