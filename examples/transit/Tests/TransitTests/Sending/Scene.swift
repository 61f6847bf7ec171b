import Foundation
import Synchronization
import Testing
import Transit
import TransitCity

/// A backend with a Martlet that remembers, and time that stands still.
final class Scene: Sendable {
    /// Martlet: the same key is the same request.
    final class Martlet: Messenger {
        struct Record {
            var outcome: SendOutcome?
            var requests: [Intent] = []
            var accepted: [String: Intent] = [:]
            var cancelled: [String] = []
        }

        let record = Mutex(Record())

        func send(_ intent: Intent) async -> SendOutcome {
            record.withLock { record in
                record.requests.append(intent)
                if let outcome = record.outcome { return outcome }
                if let before = record.accepted[intent.key], before.body != intent.body { return .refused("mismatch") }
                record.accepted[intent.key] = intent
                return .accepted("id-\(intent.key)")
            }
        }

        func cancel(_ notification: String) async -> Bool {
            record.withLock { $0.cancelled.append(notification) }
            return true
        }

        /// What Martlet took, in the order in which it was asked first.
        var accepted: [Intent] {
            record.withLock { record in
                var seen: Set<String> = []
                return record.requests.filter { record.accepted[$0.key] != nil && seen.insert($0.key).inserted }
            }
        }

        func answer(_ outcome: SendOutcome?) { record.withLock { $0.outcome = outcome } }
    }

    static let network = Network(
        timeZone: "Australia/Sydney",
        routes: [.init(id: "T4", agency: "trains", type: 2), .init(id: "T8", agency: "trains", type: 2)]
    )
    static let riders = [
        Rider(id: "amira", favourites: [Favourite(route: "T4")]),
        Rider(id: "ben", language: "ja", favourites: [Favourite(route: "T4")]),
        Rider(id: "chiara", minimumSeverity: .severe, favourites: [Favourite(route: "T4")]),
        Rider(id: "deniz", favourites: [Favourite(route: "T8")]),
    ]

    let path: String
    let martlet = Martlet()
    let time = Mutex(1_774_800_000)
    let lines = Mutex<[String]>([])

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("transit-\(UUID().uuidString)").path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A backend that goes on with the state's file.
    func backend(settings: SendSettings = SendSettings()) async throws -> Backend {
        let clock = TransitClock { [self] in Date(timeIntervalSince1970: Double(time.withLock { $0 })) }
        let state = try StateFile(path: path)
        var admission = FeedAdmission(last: state.ledger.feedMade)
        admission.maximumAge = 86_400
        let backend = try Backend(
            state: state,
            network: Self.network,
            settings: settings,
            admission: admission,
            clock: clock,
            log: BackendLog(clock: clock) { [self] line in lines.withLock { $0.append(line) } }
        )
        try await backend.set(Self.riders)
        return backend
    }

    /// A minute later the feed has these alerts.
    @discardableResult
    func feed(_ alerts: [ServiceAlert], to backend: Backend) async throws -> Bool {
        let made = time.withLock { time in
            time += 60
            return time
        }
        return try await backend.take(FeedSnapshot(made: made, alerts: alerts))
    }

    /// Sends what waits.
    func send(_ backend: Backend) async throws {
        let run = BackendRun(backend, messenger: martlet)
        while let intent = await backend.next {
            if case .again = try await run.send(intent) { return }
        }
    }

    static func alert(
        _ text: String = "Signal failure",
        id: String = "a-1",
        severity: Severity = .warning,
        route: String = "T4",
        periods: [ActivePeriod] = []
    ) -> ServiceAlert {
        ServiceAlert(
            id: id,
            header: TranslatedText([.init(text, language: "en")]),
            severity: severity,
            effect: .detour,
            periods: periods,
            entities: [InformedEntity(route: route)]
        )
    }
}

extension Intent {
    /// A member of the body, by its path.
    func body(_ path: String...) -> String? {
        var value = try? JSONSerialization.jsonObject(with: Data(body.utf8))
        for name in path { value = (value as? [String: Any])?[name] }
        return value.map { "\($0)" }
    }
}
