import Foundation
import Testing
import Transit

/// What operators get wrong in their files.
@Suite struct InputTests {
    @Test(
        "a network that cannot be used is refused with its reason",
        arguments: [
            ("[]", "it is no JSON object"),
            ("{", "it is no JSON object"),
            (#"{"routes":[],"trips":[],"platforms":[]}"#, "'timeZone' is missing"),
            (#"{"timeZone":"Australia/Sydney","routes":[{"stops":[]}]}"#, "'routes[0].id' is missing"),
            (#"{"timeZone":"Australia/Sydney","routes":[{"id":4}]}"#, "'routes[0].id' has a value of another kind"),
            (
                #"{"timeZone":"Sydney","routes":[],"trips":[],"platforms":[]}"#,
                "there is no time zone 'Sydney'; it is one of IANA's, such as Australia/Sydney"
            ),
        ]
    )
    func network(text: String, reason: String) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("network-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let failure = #expect(throws: NetworkFile.Failure.self) { try NetworkFile.read(path) }
        #expect(failure?.description == "The network's file \(path): \(reason).")
    }

    @Test("a network that is not there")
    func noNetwork() {
        let failure = #expect(throws: NetworkFile.Failure.self) { try NetworkFile.read("/nowhere/network.json") }
        #expect(
            failure?.description == "The network's file /nowhere/network.json cannot be read: there is no such file."
        )
    }

    @Test("favourites that the network does not have are counted, and the first is named")
    func unknown() {
        let network = EntityTests.network
        let known = [
            Favourite(route: "T4"), Favourite(stop: "central"), Favourite(stop: "central-1"), Favourite(trip: "T4-in"),
            Favourite(direction: 1),
        ]
        #expect(network.unknown(in: [Rider(id: "amira", favourites: known)]).count == 0)
        let wrong = [Favourite(route: "T44"), Favourite(stop: "centrl"), Favourite(trip: "x")]
        let found = network.unknown(in: [Rider(id: "ben", favourites: known + wrong)])
        #expect(found.count == 3 && found.first == "route 'T44' of rider 'ben'")
    }

    @Test("without riders the backend does not begin: what riders were told would be taken away from them")
    func noRiders() async throws {
        let scene = Scene()
        let url = try #require(URL(string: "http://127.0.0.1:1/alerts.pb"))
        let run = BackendRun(try await scene.backend(), messenger: scene.martlet)
        let failure = await #expect(throws: RiderFile.Failure.self) {
            try await run.run(feed: url, riders: "/nowhere/riders.jsonl")
        }
        #expect(failure?.description == "The riders' file /nowhere/riders.jsonl cannot be read: there is no such file.")
    }
}
