import Crypto
import Foundation
import Testing

@testable import MartletSimulator

@Suite("The control API")
struct ControlLiveTests {
    @Test("an account is made, a rule set, a push read back and counted, all over HTTP")
    func roundTrip() async throws {
        try await withSimulator { configuration, _ in
            configuration.keys = []
            configuration.apps = []
        } _: { live in
            #expect(try await live.control("GET", "/healthz").status == 200)
            let key = try JSONEncoder().encode([
                "keyID": live.account.keyID, "teamID": live.account.teamID,
                "key": live.account.privateKey.publicKey.pemRepresentation,
            ])
            #expect(try await live.control("POST", "/keys", String(decoding: key, as: UTF8.self)).status == 204)
            let app = #"{"topic":"\#(Account.topic)","teamID":"\#(live.account.teamID)"}"#
            #expect(try await live.control("POST", "/apps", app).status == 204)
            let tokens = #"""
                {"tokens":[{"token":"\#(Account.device)"},{"token":"\#(Account.otherDevice)","state":"unregistered",
                "since":12}],"knownTokensOnly":true}
                """#
            #expect(try await live.control("POST", "/tokens", tokens).status == 204)
            let rule = #"{"when":{"token":"\#(Account.device)"},"times":1,"then":{"do":"respond","reason":"Shutdown"}}"#
            let made = try await live.control("POST", "/rules", rule)
            #expect(made.status == 201)
            #expect(made.members?["id"] == .integer(1))

            #expect(try await live.push().short == "503 Shutdown")
            #expect(try await live.push().short == "200")
            #expect(try await live.push(to: Account.otherDevice).members?["timestamp"] == .integer(12))

            let page = try decode(ReceivedPage.self, try await live.control("GET", "/received?limit=2"))
            #expect(page.received.map(\.status) == [503, 200])
            #expect(page.next == 2)
            let rest = try await live.control("GET", "/received?after=2&token=\(Account.otherDevice)")
            #expect(try decode(ReceivedPage.self, rest).received.map(\.reason) == ["Unregistered"])
            let byTopic = try await live.control("GET", "/received?topic=com.example.none")
            #expect(try decode(ReceivedPage.self, byTopic).received.isEmpty)
            let counts = try decode(ReceivedCounts.self, try await live.control("GET", "/received/count"))
            #expect(counts.total == 3)
            #expect(counts.byStatus == ["200": 1, "410": 1, "503": 1])
            let rules = try await live.control("GET", "/rules").members?["rules"]
            guard case .array(let list) = rules else { throw Failure("no rules: \(String(describing: rules))") }
            #expect(list.first?["fired"] == .integer(1))
        }
    }

    @Test("state, reset and removal")
    func stateAndReset() async throws {
        try await withSimulator { live in
            _ = try await live.push()
            #expect(try await live.control("POST", "/rules", #"{"then":{"do":"hang"}}"#).status == 201)
            var state = try decode(SimulatorState.self, try await live.control("GET", "/state"))
            #expect(state.keys == [live.account.keyID])
            #expect(state.apps == [Account.topic])
            #expect(state.rules == 1)
            #expect(state.connectionsSeen == 1)
            #expect(state.signatureChecks == 1)
            #expect(state.listeners == [.init(environment: .production, port: live.simulator.port, isListening: true)])
            #expect(try await live.control("DELETE", "/rules/1").status == 204)
            #expect(try await live.control("DELETE", "/rules/1").status == 404)
            #expect(try await live.control("DELETE", "/received").status == 204)
            #expect(live.simulator.receivedCounts.total == 0)
            #expect(try await live.control("POST", "/rules", #"{"then":{"do":"abort"}}"#).status == 201)
            #expect(try await live.control("POST", "/reset").status == 204)
            state = try decode(SimulatorState.self, try await live.control("GET", "/state"))
            #expect(state.rules == 0)
            #expect(try await live.push().short == "200")
        }
    }

    @Test("listener and connections are commanded")
    func commands() async throws {
        try await withSimulator { live in
            #expect(try await live.control("POST", "/listener/stop", #"{"environment":"production"}"#).status == 204)
            #expect(try await live.push().exitCode == 7)
            #expect(try await live.control("POST", "/listener/start").status == 204)
            #expect(try await live.push().short == "200")
            #expect(try await live.control("POST", "/listener/stop", #"{"mode":"failTLS"}"#).status == 204)
            #expect(try await live.push().exitCode == 35)
            #expect(try await live.control("POST", "/listener/start", "{}").status == 204)
            #expect(try await live.control("POST", "/listener/stop", #"{"milliseconds":20}"#).status == 204)
            try await eventually { await live.simulator.state().listeners.allSatisfy(\.isListening) }
            #expect(try await live.push().short == "200")
            try await eventually { await live.simulator.state().connections.isEmpty }
            for path in ["goaway", "abort"] {
                let answer = try await live.control("POST", "/connections/\(path)", "{}")
                #expect(answer.members?["connections"] == .integer(0))
            }
        }
    }

    /// One row of the table of bad input.
    struct BadInput: Sendable, CustomTestStringConvertible {
        var request: String
        var body: String?
        var status: Int
        var code: String
        var field: String?

        init(_ request: String, _ body: String?, _ status: Int, _ code: String, _ field: String? = nil) {
            self.request = request
            self.body = body
            self.status = status
            self.code = code
            self.field = field
        }

        var testDescription: String { "\(request) \(body ?? "")" }
    }

    static let badInput: [BadInput] = [
        BadInput("POST /rules", "{", 400, "malformed_json"),
        BadInput("POST /rules", "[]", 400, "malformed_json"),
        BadInput("POST /rules", #"{"then":{"do":"hang"},"times":1e300}"#, 400, "invalid_field"),
        BadInput("POST /rules", nil, 400, "invalid_field", "then"),
        BadInput("POST /rules", #"{"then":{"do":"explode"}}"#, 400, "invalid_field", "then.do"),
        BadInput("POST /rules", #"{"then":{}}"#, 400, "missing_field", "then.do"),
        BadInput("POST /rules", #"{"then":{"do":"hang","loud":1}}"#, 400, "unknown_field", "then.loud"),
        BadInput("POST /rules", #"{"then":{"do":"hang"},"tmies":1}"#, 400, "unknown_field", "tmies"),
        BadInput("POST /rules", #"{"then":{"do":"hang"},"times":0}"#, 400, "invalid_field", "times"),
        BadInput("POST /rules", #"{"then":{"do":"hang"},"times":"1"}"#, 400, "invalid_field", "times"),
        BadInput("POST /rules", #"{"then":{"do":"hang"},"probability":2}"#, 400, "invalid_field", "probability"),
        BadInput("POST /rules", #"{"then":{"do":"hang"},"when":{"token":"xyz"}}"#, 400, "invalid_field", "when.token"),
        BadInput("POST /rules", #"{"then":{"do":"respond","reason":"Own"}}"#, 400, "invalid_field", "then.status"),
        BadInput("POST /rules", #"{"then":{"do":"respond","status":700}}"#, 400, "invalid_field", "then.status"),
        BadInput("POST /rules", #"{"then":{"do":"reset","code":-1}}"#, 400, "invalid_field", "then.code"),
        BadInput("POST /rules", #"{"then":{"do":"maxStreams"}}"#, 400, "invalid_field", "then.value"),
        BadInput("POST /rules", #"{"delay":999999999}"#, 400, "invalid_field", "delay"),
        BadInput("POST /keys", #"{"keyID":"A","teamID":"B","key":"none"}"#, 400, "invalid_field", "key"),
        BadInput("POST /keys", #"{"keyID":"A","key":"none"}"#, 400, "missing_field", "teamID"),
        BadInput("POST /apps", #"{"topic":"no topic","teamID":"B"}"#, 400, "invalid_field", "topic"),
        BadInput("POST /tokens", #"{"tokens":[{"token":"abc"}]}"#, 400, "invalid_field", "tokens[0].token"),
        BadInput("POST /tokens", "{}", 400, "invalid_field", "tokens"),
        BadInput("POST /tokens", #"{"tokens":{}}"#, 400, "invalid_field", "tokens"),
        BadInput("POST /connections/max-streams", "{}", 400, "missing_field", "value"),
        BadInput("POST /connections/abort", #"{"connection":99}"#, 404, "not_found", "connection"),
        BadInput("POST /listener/stop", #"{"environment":"sandbox"}"#, 400, "invalid_field", "environment"),
        BadInput("POST /listener/stop", #"{"environment":"moon"}"#, 400, "invalid_field", "environment"),
        BadInput("GET /received?limit=0", nil, 400, "invalid_field", "limit"),
        BadInput("GET /received?after=x", nil, 400, "invalid_field", "after"),
        BadInput("GET /received?colour=red", nil, 400, "unknown_field", "colour"),
        BadInput("DELETE /rules/x", nil, 404, "not_found"),
        BadInput("POST /devices", "{}", 400, "missing_field", "topic"),
        BadInput("POST /devices", #"{"topic":"no topic"}"#, 400, "invalid_field", "topic"),
        BadInput("POST /devices", #"{"topic":"a.b","environment":"moon"}"#, 400, "invalid_field", "environment"),
        BadInput("POST /devices", #"{"topic":"a.b","colour":1}"#, 400, "unknown_field", "colour"),
        BadInput("GET /devices/abc/pushes", nil, 404, "not_found"),
        BadInput("GET /devices/abc/pushes?wait=30001", nil, 400, "invalid_field", "wait"),
        BadInput("GET /devices/abc/pushes?limit=101", nil, 400, "invalid_field", "limit"),
        BadInput("GET /nothing", nil, 404, "not_found"),
    ]

    @Test("bad input is a clear error that names the field, and changes nothing")
    func refusesBadInput() async throws {
        try await withSimulator { live in
            for row in Self.badInput {
                let words = row.request.split(separator: " ").map(String.init)
                let answer = try await live.control(words[0], words[1], row.body)
                let error = answer.members?["error"]
                #expect(answer.status == row.status, "\(row.testDescription)")
                #expect(error?["code"]?.text == row.code, "\(row.testDescription)")
                #expect(error?["field"]?.text == row.field, "\(row.testDescription)")
                #expect(error?["message"]?.text?.isEmpty == false, "\(row.testDescription)")
            }
            #expect(live.simulator.rules.isEmpty)
            let state = await live.simulator.state()
            #expect(state.keys == [live.account.keyID])
            #expect(state.tokens == 0)
            let file = live.folder.appending(path: "large")
            try Data(repeating: 0x20, count: controlBodyLimit + 1).write(to: file)
            let tooLarge = try await live.control("POST", "/rules", "@\(file.path)")
            #expect(tooLarge.status == 413)
        }
    }

    @Test("a rule's document is read back as it was written")
    func ruleRoundTrip() throws {
        let actions: [SimulatorAction] = [
            .proceed, .respond(status: 410, reason: "Unregistered", timestamp: 5), .hang, .reset(code: 7), .abort,
            .goAway(reason: "Shutdown", code: 1, processed: true), .maxStreams(0), .pauseReading(milliseconds: 5),
            .withholdWindow, .stopListening(mode: .failTLS, milliseconds: 9),
        ]
        for action in actions {
            let rule = SimulatorRule(
                action,
                when: .init(token: Account.device, connection: 2),
                scope: .all,
                skip: 1,
                times: 2,
                every: 3,
                probability: 0.5,
                delay: 4,
                name: "n"
            )
            let written = try JSONEncoder().encode(rule)
            #expect(try JSONDecoder().decode(SimulatorRule.self, from: written) == rule)
        }
    }

    private func decode<Document: Decodable>(_ type: Document.Type, _ answer: LiveSimulator.Answer) throws -> Document {
        try JSONDecoder().decode(type, from: Data(answer.body.utf8))
    }

    struct Failure: Error {
        var text: String
        init(_ text: String) { self.text = text }
    }
}
