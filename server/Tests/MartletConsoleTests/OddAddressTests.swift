import HTTPTypes
import HummingbirdTesting
import MartletTesting
import MartletWire
import NIOCore
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("Addresses that nobody made") struct OddAddressTests {
    /// Values, as they stand in an address.
    private static let values = [
        "", "%", "%zz", "%00", "a%00b", "%FF%FE", "-1", "0", "9223372036854775807", "-9223372036854775808", "1e309",
        "..%2F..%2Fetc", "javascript%3Aalert(1)", Link.escaped(Plants.mark), "%0D%0AX-Odd%3A%20y", "%E6%97%A5",
        "f_________8AAAAA", "2020-9223372036854775807-01", "9999-12-31", "%F0%9F%98%80%CC%81",
    ]

    private static let names = ["app", "cursor", "lang", "done", "next"]

    private static let others = [
        "period", "q", "reason", "state", "since", "until", "kind", "status", "tested", "like", "attributes", "body",
        "actor", "action", "subject", "id", "format", "platform", "environment", "at", "when", "zone", "expiry",
        "badge",
    ]

    @Test("have an answer without a fault, on every page, for each parameter that pages have in common")
    func common() async throws {
        try await PlantedScene.run(.secrets) { scene in
            let admin = try scene.visitor(.admin)
            for route in scene.pageRoutes {
                let path = try #require(try await scene.paths(of: route).first)
                for name in Self.names {
                    for value in Self.values {
                        let answer = try await admin.get("\(path)?\(name)=\(value)")
                        #expect(answer.status < 500, "\(path)?\(name)=\(value)")
                        #expect(answer.faults(token: admin.csrf) == [], "\(path)?\(name)=\(value)")
                        let place = answer.location ?? "/console"
                        #expect(place.hasPrefix("/console"), "\(place)")
                    }
                }
            }
        }
    }

    @Test("have an answer without a fault, whatever stands in all parameters")
    func all() async throws {
        try await PlantedScene.run(.secrets) { scene in
            let admin = try scene.visitor(.admin)
            for route in scene.pageRoutes {
                let path = try #require(try await scene.paths(of: route).first)
                for value in Self.values {
                    let query = Self.others.map { "\($0)=\(value)" }.joined(separator: "&")
                    let answer = try await admin.get("\(path)?\(query)")
                    #expect(answer.status < 500, "\(path) with \(value)")
                    #expect(answer.faults(token: admin.csrf) == [], "\(path) with \(value)")
                }
            }
        }
    }

    @Test("in a path are not found")
    func paths() async throws {
        try await PlantedScene.run(.secrets) { scene in
            let admin = try scene.visitor(.admin)
            let areas = ["notifications", "topics", "apps", "people", "people/\(scene.app.id)", "categories/shop"]
            for area in areas {
                for value in Self.values.map({ $0.isEmpty ? "-" : $0 }) {
                    let answer = try await admin.get("/\(area)/\(value)")
                    #expect(answer.status < 500 && answer.faults(token: admin.csrf) == [], "/\(area)/\(value)")
                }
            }
        }
    }

    @Test("with two slashes lead to no other host by the links on their page")
    func slashes() async throws {
        try await Harness.run { harness in
            var call = ConsoleCall.sample
            for uri in [
                "//console/people", "//evil.example/console", "https://evil.example/console", "/\\evil.example",
            ] {
                call.uri = Link.local(uri)
                #expect(call.address(changing: "lang", to: "ja") == "/console?lang=ja")
            }
            let admin = try await harness.visitor(.admin)
            let answer = try await admin.client.execute(
                uri: "//console/people",
                method: .get,
                headers: [.cookie: "martlet_session=\(try #require(admin.secret).text)"],
                body: nil
            ) { String(buffer: $0.body) }
            #expect(!answer.contains("=\"//"))
        }
    }

    @Test("a parameter that says what was done says only what the console says")
    func done() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            #expect(try await admin.get("/?done=retried").text.contains("It is tried again."))
            for odd in ["x", "retried.x", "%3Cb%3E", ""] {
                #expect(try await !admin.get("/?done=\(odd)").text.contains("role=\"status\""), "\(odd)")
            }
        }
    }

    @Test("a day beyond all days is after all that was sent, one before all days before it")
    func days() async throws {
        try await PlantedScene.run(.secrets) { scene in
            let viewer = try scene.visitor(.viewer)
            let id = scene.sent[0].id.description
            for (query, isFound) in [
                ("until=9999-12-31", true), ("until=2160-01-01", true), ("until=1970-01-01", false),
                ("since=1970-01-01", true), ("since=9999-12-31", false),
            ] {
                #expect(try await viewer.get("/notifications?\(query)").text.contains(id) == isFound, "\(query)")
            }
        }
    }

    @Test("a NUL is in no value of a form")
    func nul() throws {
        let form = try FormValues(urlEncoded: "a=x%00y&%00b=1&c=%00")
        #expect(form["a"] == "xy" && form["b"] == "1" && form["c"] == nil)
        let body = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\0y\r\n--x--"
        #expect(try FormValues(multipart: Array(body.utf8), boundary: "x")["a"] == "xy")
    }
}
