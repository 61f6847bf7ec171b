import Foundation
import Testing

@testable import MartletSimulator

@Suite("Who may use the control API")
struct ControlCallerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var caller: ControlCaller
        var isOwn: Bool

        init(_ host: String?, origin: String? = nil, site: String? = nil, _ isOwn: Bool) {
            caller = ControlCaller(host: host, origin: origin, fetchSite: site)
            self.isOwn = isOwn
        }

        var testDescription: String {
            "\(caller.host ?? "no host") \(caller.origin ?? "") \(caller.fetchSite ?? ""): \(isOwn)"
        }
    }

    static let cases = [
        Case("127.0.0.1:9444", true),
        Case("localhost:9444", true),
        Case("LOCALHOST", true),
        Case("[::1]:9444", true),
        Case("192.0.2.7:9444", true),
        Case("simulator.internal:9444", true),
        Case(nil, false),
        Case("", false),
        Case(":9444", false),
        Case("attacker.example", false),
        Case("attacker.example:9444", false),
        Case("localhost.attacker.example", false),
        Case("127.0.0.1.attacker.example", false),
        Case("[attacker.example]:9444", false),
        Case("localhost:9444", origin: "http://localhost:9444", site: "same-origin", true),
        Case("localhost:9444", site: "none", true),
        Case("localhost:9444", origin: "http://localhost:3000", false),
        Case("localhost:9444", origin: "https://localhost:9444", false),
        Case("localhost:9444", origin: "http://127.0.0.1:9444", false),
        Case("localhost:9444", origin: "http://attacker.example", false),
        Case("localhost:9444", origin: "null", false),
        Case("localhost:9444", origin: "", false),
        Case("localhost:9444", site: "cross-site", false),
        Case("localhost:9444", site: "same-site", false),
    ]

    @Test("programs and its own pages, by an address, as localhost or by the name that was bound", arguments: cases)
    func judges(row: Case) {
        #expect(row.caller.isOwn(ownName: "simulator.internal") == row.isOwn)
    }

    @Test("a page of another origin is refused before anything is done, and so is a foreign name")
    func refuses() async throws {
        try await withSimulator { live in
            let control = "http://127.0.0.1:\(live.simulator.controlPort)"
            let rule = ["-X", "POST", "--data", #"{"then":{"do":"hang"}}"#, "\(control)/rules"]
            let page = ["-X", "POST", "--data", "", "\(control)/reset"]
            for field in ["Origin: http://attacker.example", "Sec-Fetch-Site: cross-site", "Host: attacker.example"] {
                for request in [rule, page, ["\(control)/received"], ["\(control)/nothing"]] {
                    let answer = try await live.curl(["-H", field] + request)
                    #expect(answer.status == 403, "\(field)")
                    #expect(answer.members?["error"]?["code"]?.text == "foreign_origin", "\(field)")
                }
            }
            #expect(live.simulator.rules.isEmpty)
            let own = try await live.curl(["-H", "Origin: \(control)", "-H", "Sec-Fetch-Site: same-origin"] + rule)
            #expect(own.status == 201)
        }
    }
}
