import Foundation
import Transit
import TransitCity

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension WeekWorld {
    private static let startTime = 30.0

    /// Starts Martlet and the simulated APNs, and makes the app.
    func startMartlet() async throws {
        try? FileManager.default.removeItem(atPath: options.folder)
        try FileManager.default.createDirectory(atPath: options.folder, withIntermediateDirectories: true)
        try city.write(to: options.folder)
        try apns.start()
        let port = try await apns.line(matching: /on https:\/\/127\.0\.0\.1:(\d+)/, within: Self.startTime)
        let control = try await apns.line(matching: /(http:\/\/127\.0\.0\.1:\d+)/, within: Self.startTime)
        arguments.set("control", control)
        try server.start()
        let address = try await server.line(matching: /listening on (http:\/\/\S+)/, within: Self.startTime)
        arguments.set("server", address)
        arguments.set("port", address.split(separator: ":").last.map(String.init) ?? "")
        try await makeApp(apnsURL: "https://127.0.0.1:\(port)")
    }

    /// Starts the week.
    func startWeek() async throws {
        let speed = Double(week.end - week.start) / options.seconds
        let clock = TransitClock.Simulation(
            began: Date().timeIntervalSince1970 + 1,
            from: Double(week.start),
            speed: speed
        )
        arguments.set("clock", clock.text)
        try feed.start()
        arguments.set("feed", try await feed.line(matching: /listening on (http:\/\/[^\s,]+)/, within: Self.startTime))
        try startMatcher()
    }

    func startMatcher() throws {
        matcher.setEnvironment(["MARTLET_API_KEY": arguments.get("key"), "MARTLET_SERVER": serverURL])
        try matcher.start()
    }

    func end() async {
        for program in [matcher, feed, server, apns] { await program.stop() }
    }

    /// With the seed's environment variables.
    private func makeApp(apnsURL: String) async throws {
        let own = ProcessInfo.processInfo.environment
        let folder = options.folder
        let create = RunningProgram(
            "martlet apps create",
            executable: options.martlet,
            environment: [
                "APNS_KEY_ID": own["APNS_KEY_ID"] ?? "SIMULATED1", "APNS_TEAM_ID": own["APNS_TEAM_ID"] ?? "SIMULATED1",
                "APNS_BUNDLE_ID": bundleID,
                "APNS_PRIVATE_KEY_PATH": own["APNS_PRIVATE_KEY_PATH"] ?? "\(folder)/apns.p8",
                "MARTLET_DATA": "\(folder)/martlet", "MARTLET_SERVER": serverURL,
            ],
            log: "\(folder)/apps.log"
        ) {
            ["apps", "create", "--from-env", "--apns-url", apnsURL, "--apns-trust", "\(folder)/ca.pem"]
        }
        _ = try await create.finish(within: Self.startTime)
        let identity = ["mode": "signed", "issuer": Self.issuer, "audience": bundleID, "secret": Self.secret]
        _ = try await admin("PATCH", "apps/\(bundleID)", ["identity": identity])
        let made = try await admin("POST", "keys", ["scope": "send", "app": bundleID, "name": "matcher"])
        guard let key = (made["data"] as? [String: Any])?["key"] as? String else {
            throw WeekFailure("There is no key.")
        }
        arguments.set("key", key)
    }

    /// Calls Martlet's REST interface with its first admin key.
    @discardableResult
    func admin(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws -> [String: Any] {
        let key = try String(contentsOfFile: "\(options.folder)/martlet/admin.key", encoding: .utf8)
        guard let url = URL(string: "\(serverURL)/api/v1/\(path)") else { throw WeekFailure("no address") }
        var request = URLRequest(url: url)
        request.setValue(
            "Bearer \(key.split(whereSeparator: \.isNewline).first ?? "")",
            forHTTPHeaderField: "Authorization"
        )
        return try await JSONCall.send(method, request, body)
    }

    /// Calls the simulated APNs' control interface.
    @discardableResult
    func control(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws -> [String: Any] {
        guard let url = URL(string: "\(controlURL)/\(path)") else { throw WeekFailure("no address") }
        return try await JSONCall.send(method, URLRequest(url: url), body)
    }
}

/// A call with JSON both ways, of at most ten seconds and 256 MiB.
enum JSONCall {
    static func send(_ method: String, _ request: URLRequest, _ body: [String: Any]?) async throws -> [String: Any] {
        let http = BoundedHTTP(deadline: 10)
        defer { http.close() }
        var request = request
        request.httpMethod = method
        if let body {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = try JSONSerialization.data(withJSONObject: body)
        }
        let answer = try await http.send(request, limit: 256 * 1024 * 1024)
        guard (200..<300).contains(answer.status) else {
            throw WeekFailure(
                "\(method) \(request.url?.path ?? ""): \(answer.status) \(String(decoding: answer.body.prefix(300), as: UTF8.self))"
            )
        }
        guard !answer.body.isEmpty else { return [:] }
        return try JSONSerialization.jsonObject(with: answer.body) as? [String: Any] ?? [:]
    }
}
