import Foundation
import MartletTesting
import Testing

/// The end of a server whose pushes are under way.
@Suite struct ShutdownTests {
    @Test("SIGTERM lets a request that has begun have its answer, and closes every connection")
    func answersWhatHasBegun() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        let port = UInt16(try #require(URL(string: server.address)?.port))
        let key = try String(contentsOfFile: server.data + "/admin.key", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        try await blocking {
            let (idle, busy) = (try RawConnection(port: port), try RawConnection(port: port))
            try idle.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(idle.read(until: "}", seconds: 10).contains(" 200 "))
            let body = #"{"name": "com.example.app"}"#
            let fields = "Host: a\r\nAuthorization: Bearer \(key)\r\nContent-Length: \(body.utf8.count)"
            try busy.send("POST /api/v1/apps HTTP/1.1\r\n\(fields)\r\n\r\n\(body.prefix(5))")
            server.process.send(signal: SIGTERM)
            #expect(idle.isClosed(within: 10))
            try busy.send(String(body.dropFirst(5)))
            #expect(busy.read(until: "}", seconds: 10).contains(" 201 "))
            #expect(busy.isClosed(within: 10))
        }
        let result = try await server.process.result(within: 10)
        #expect(result.status == 0 && !result.standardError.contains("did not finish"), "\(result.standardError)")
    }

    @Test(
        "SIGTERM does not wait for an answer that does not come: the push goes out again after the next start, as itself"
    )
    func endsWithAPushUnderWay() async throws {
        let folder = try TemporaryFolder()
        let key = folder.file("simulator.p8")
        // The next start mints another provider token, which Apple's rule would refuse for 20 minutes.
        let simulator = try await SimulatorProcess(
            folder: folder,
            arguments: ["--topic", Stage.app, "--new-key", key, "--token-interval", "0"]
        )
        let first = try await ServerProcess(data: folder.file("data"))
        let environment = [
            "APNS_KEY_ID": "SIMULATED1", "APNS_TEAM_ID": "SIMULATED1", "APNS_BUNDLE_ID": Stage.app,
            "APNS_PRIVATE_KEY_PATH": key,
        ]
        let arguments = ["apps", "create", "--from-env", "--apns-url", simulator.apns, "--apns-trust", simulator.ca]
        let app = try await ProgramProcess(
            arguments,
            environment: environment.merging(first.environment) { $1 }
        ).result()
        #expect(app.status == 0, "\(app.standardError)")
        let registered = try await first.run("devices", "register", Stage.token, "--app", Stage.app, "--user", "amira")
        #expect(registered.status == 0, "\(registered.standardError)")
        _ = try await simulator.control("/rules", post: #"{"then":{"do":"hang"},"times":1}"#)

        let sent = try await first.run("send", "--app", Stage.app, "--user", "amira", "--title", "T4", "--json")
        let id = try JSONDecoder().decode(Answer<IDAnswer>.self, from: Data(sent.standardOutput.utf8)).data.id
        try await eventually("the push arrives") { try await simulator.received().count == 1 }
        first.process.send(signal: SIGTERM)
        #expect(try await first.process.result(within: 10).status == 0)

        let second = try await ServerProcess(data: folder.file("data"))
        try await eventually("the notification is over") {
            try await second.run("notifications", "show", id).standardOutput.contains("1 accepted")
        }
        let received = try await simulator.received()
        #expect(received.count == 2)
        #expect(Set(received.map(\.headers["apns-id"])).count == 1)
    }

    /// Asks again, each time waiting for the answer, until it is so; at most half a minute.
    private func eventually(_ what: String, _ isSo: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while try await !isSo() {
            guard ContinuousClock.now < deadline else { throw ProgramProcess.Failure(description: "\(what): not so") }
        }
    }
}

/// A push as the simulator tells of it.
struct ReceivedAnswer: Decodable {
    var headers: [String: String]
}

extension SimulatorProcess {
    /// Calls the control interface with curl; returns what it says.
    func control(_ path: String, post body: String? = nil) async throws -> String {
        let data = body.map { ["-H", "Content-Type: application/json", "-d", $0] } ?? []
        let curl = try ProgramProcess(["-fsS", control + path] + data, executable: "/usr/bin/curl")
        let result = try await curl.result(within: 30)
        guard result.status == 0 else { throw ProgramProcess.Failure(description: result.standardError) }
        return result.standardOutput
    }

    /// What it received.
    func received() async throws -> [ReceivedAnswer] {
        struct Page: Decodable {
            var received: [ReceivedAnswer]
        }
        return try JSONDecoder().decode(Page.self, from: Data(try await control("/received").utf8)).received
    }
}
