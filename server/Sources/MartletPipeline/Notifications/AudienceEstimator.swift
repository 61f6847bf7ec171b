public import MartletCore
package import MartletStore
import MartletWire

/// Counts an audience: person by person up to a number and for a time, and else from samples of it. Reads only.
package struct AudienceEstimator: Sendable {
    private let store: Store
    private let query: AudienceQuery
    private let gate: Gate

    package init(store: Store, query: AudienceQuery, gate: Gate) {
        (self.store, self.query, self.gate) = (store, query, gate)
    }

    /// How many people are counted one by one.
    static let exactLimit = 10_000
    /// For how long, and when no more samples are read: with a part's own time, the answer is there within two seconds.
    private static let (exactTime, sampleTime) = (Duration.milliseconds(1_000), Duration.milliseconds(1_600))
    /// For how long it is counted how many there are.
    private static let countTime = Duration.milliseconds(300)
    /// How many samples, of a part each: of 10,000 people a share of a tenth is known to half a percent.
    private static let samples: Int64 = 10

    package func estimate() async throws -> AudienceEstimate {
        let start = ContinuousClock.now
        var tally = AudienceTally()
        var position: FanOut.Cursor? = FanOut.Cursor()
        while let cursor = position {
            guard tally.people <= Self.exactLimit, ContinuousClock.now - start < Self.exactTime else {
                return try await sampled(until: start + Self.sampleTime)
            }
            let page = try await store.audience(query, after: cursor, limit: MemberList.limit)
            tally.add(page, gate)
            position = page.next
        }
        return tally.people <= Self.exactLimit ? tally.estimate : try await sampled(until: start + Self.sampleTime)
    }

    /// What parts of the audience that lie evenly among its keys say of the whole.
    private func sampled(until end: ContinuousClock.Instant) async throws -> AudienceEstimate {
        let size = try await store.size(of: query, within: Self.countTime)
        var estimate = AudienceEstimate()
        estimate.isExact = false
        for (layer, isOfUsers) in [(size.users, true), (size.devices, false)] {
            guard let layer else { continue }
            var tally = AudienceTally()
            for sample in 0..<Self.samples {
                // At least one, or nothing would be said.
                guard sample == 0 || ContinuousClock.now < end else { break }
                let key =
                    layer.keys.lowerBound + (layer.keys.upperBound - layer.keys.lowerBound) / Self.samples * sample
                let cursor = isOfUsers ? FanOut.Cursor(major: key) : FanOut.Cursor(major: 0, minor: key - 1)
                var page = try await store.audience(query, after: cursor, limit: MemberList.limit)
                // The last part of anonymous devices goes on among users.
                if !isOfUsers, query.audience == .all { page.candidates.removeAll { $0.member.user != nil } }
                tally.add(page, gate)
            }
            guard tally.people > 0 else { continue }
            estimate.add(tally.estimate, times: Double(layer.count) / Double(tally.people))
        }
        return estimate
    }
}

/// The people of an audience that were looked at, each counted once however often they are met. A pure value.
struct AudienceTally {
    private var reached: Set<Subject> = []
    private var keptOut: [Subject: Suppression.Reason] = [:]
    private var unknown = 0
    private var devices: Set<RowID<Endpoint>> = []

    /// How many were met.
    var people: Int { reached.count + keptOut.count }

    /// Adds a part of an audience.
    mutating func add(_ page: AudiencePage, _ gate: Gate) {
        let gated = gate.decide(page)
        for member in gated.batches.lazy.flatMap(\.members) {
            devices.insert(member.endpoint)
            reached.insert(member.subject)
            keptOut[member.subject] = nil
        }
        for suppression in gated.suppressions {
            let subject = suppression.user.map(Subject.user) ?? suppression.endpoint.map(Subject.endpoint)
            guard let subject, !reached.contains(subject), keptOut[subject] == nil else { continue }
            keptOut[subject] = suppression.reason
        }
        unknown += page.unknownEndpoints
    }

    /// What they come to.
    var estimate: AudienceEstimate {
        var estimate = AudienceEstimate()
        estimate.people = reached.count
        estimate.devices = devices.count
        for reason in keptOut.values { estimate.keptOut[reason, default: 0] += 1 }
        if unknown > 0 { estimate.keptOut[.unknownEndpoint, default: 0] += unknown }
        return estimate
    }
}

extension Submitter {
    /// How many a submission would go to if it were accepted now. Nothing is written and nothing is sent; what could not be
    /// sent is refused as ``submit(_:idempotency:)`` does. A dedup key is not looked at: nobody is claimed.
    public func estimate(_ submission: Submission) async throws -> AudienceEstimate {
        let app = submission.app.row
        let credentials = try await store.credentials(app)
        let draft = try draft(of: submission, id: makeID(), credentials: credentials)
        let query = AudienceQuery(app: app, audience: draft.audience, category: draft.category, message: draft.message)
        let device = DeviceGate(app: app, credentials: credentials, providers: providers)
        return try await AudienceEstimator(store: store, query: query, gate: Gate(draft, device: device)).estimate()
    }
}
