import MartletTesting
import MartletWire
import Testing

@testable import MartletCore

@Suite struct GateTests {
    static let app = RowID<App>(1)
    static let production = DeliveryQueue(app: app, platform: .apns, environment: .production)
    static let sandbox = DeliveryQueue(app: app, platform: .apns, environment: .sandbox)
    /// As APNs has them; FCM has one.
    static let environments: [Platform: [Environment]] = [.apns: [.production, .sandbox], .fcm: [.production]]

    static func candidate(
        _ row: Int64,
        environment: Environment? = .production,
        status: Candidate.Status = .enabled,
        platform: Platform = .apns,
        hasPush: Bool = true,
        isDenied: Bool = false
    ) -> Candidate {
        Candidate(
            member: Member(endpoint: RowID(row), user: RowID(7)),
            platform: platform,
            environment: environment,
            status: status,
            hasPush: hasPush,
            isDenied: isDenied
        )
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var candidate: Candidate
        var queues: Set<DeliveryQueue>
        var disabledQueues: Set<DeliveryQueue> = []
        var decision: DeviceGate.Decision
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(
            name: "a known environment with a credential is delivered there",
            candidate: candidate(1),
            queues: [production, sandbox],
            decision: .deliver(.init(queue: production, isEnvironmentKnown: true))
        ),
        Row(
            name: "an unknown environment is tried in production first",
            candidate: candidate(1, environment: nil),
            queues: [production, sandbox],
            decision: .deliver(.init(queue: production, isEnvironmentKnown: false))
        ),
        Row(
            name: "an unknown environment is tried in the only one with a credential",
            candidate: candidate(1, environment: nil),
            queues: [sandbox],
            decision: .deliver(.init(queue: sandbox, isEnvironmentKnown: false))
        ),
        Row(
            name: "a known environment without a credential is suppressed",
            candidate: candidate(1),
            queues: [sandbox],
            decision: .suppress(.noCredential)
        ),
        Row(
            name: "a platform without a credential is suppressed",
            candidate: candidate(1, platform: .fcm),
            queues: [production, sandbox],
            decision: .suppress(.noCredential)
        ),
        Row(
            name: "an environment that the provider does not have is not tried",
            candidate: candidate(1, environment: nil, platform: .fcm),
            queues: [DeliveryQueue(app: app, platform: .fcm, environment: .sandbox)],
            decision: .suppress(.noCredential)
        ),
        Row(
            name: "a disabled endpoint is suppressed",
            candidate: candidate(1, status: .disabled),
            queues: [production],
            decision: .suppress(.endpointDisabled)
        ),
        Row(
            name: "a removed endpoint is suppressed",
            candidate: candidate(1, status: .removed),
            queues: [production],
            decision: .suppress(.endpointRemoved)
        ),
        Row(
            name: "an endpoint of a disabled application is suppressed as disabled",
            candidate: candidate(1, environment: .sandbox),
            queues: [production],
            disabledQueues: [sandbox],
            decision: .suppress(.endpointDisabled)
        ),
        Row(
            name: "an application that is disabled is no matter in the other environment",
            candidate: candidate(1),
            queues: [production],
            disabledQueues: [sandbox],
            decision: .deliver(.init(queue: production, isEnvironmentKnown: true))
        ),
        Row(
            name: "an unknown environment is not tried in sandbox because production is disabled",
            candidate: candidate(1, environment: nil),
            queues: [sandbox],
            disabledQueues: [production],
            decision: .suppress(.endpointDisabled)
        ),
    ]

    @Test("each endpoint has its decision", arguments: rows)
    func decides(row: Row) {
        let gate = DeviceGate(
            app: Self.app,
            queues: row.queues,
            disabledQueues: row.disabledQueues,
            environments: Self.environments
        )
        #expect(gate.decide(row.candidate) == row.decision)
    }

    struct Switched: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var candidate: Candidate
        var alerts: Set<Platform> = [.apns, .fcm]
        var reason: Suppression.Reason?
    }

    /// In the gate's order: each line has all that comes after it too.
    static let switched = [
        Switched(
            testDescription: "one that is gone is gone, however it was switched",
            candidate: candidate(1, status: .removed, hasPush: false, isDenied: true),
            reason: .endpointRemoved
        ),
        Switched(
            testDescription: "one that is switched off gets nothing",
            candidate: candidate(1, status: .disabled, hasPush: false, isDenied: true),
            reason: .deviceOff
        ),
        Switched(
            testDescription: "one that is switched off gets nothing that works unseen either",
            candidate: candidate(1, hasPush: false),
            alerts: [],
            reason: .deviceOff
        ),
        Switched(
            testDescription: "one whose system shows nothing gets no alert",
            candidate: candidate(1, status: .disabled, isDenied: true),
            reason: .permissionOff
        ),
        Switched(
            testDescription: "one whose system shows nothing gets what works unseen",
            candidate: candidate(1, isDenied: true),
            alerts: [.fcm]
        ),
        Switched(
            testDescription: "one that is disabled is disabled for what works unseen too",
            candidate: candidate(1, status: .disabled, isDenied: true),
            alerts: [],
            reason: .endpointDisabled
        ),
        Switched(
            testDescription: "one without a credential is switched off first",
            candidate: candidate(1, environment: .sandbox, hasPush: false),
            reason: .deviceOff
        ),
        Switched(testDescription: "one that is switched on and may show something gets it", candidate: candidate(1)),
    ]

    @Test("a device's own switch and its system's permission are asked in their order", arguments: switched)
    func switches(_ line: Switched) {
        let gate = DeviceGate(
            app: Self.app,
            queues: [Self.production],
            environments: Self.environments,
            alerts: line.alerts
        )
        let decision = line.reason.map(DeviceGate.Decision.suppress)
        let delivery = DeviceGate.Decision.deliver(.init(queue: Self.production, isEnvironmentKnown: true))
        #expect(gate.decide(line.candidate) == decision ?? delivery)
    }

    @Test("an audience is cut into batches of at most a thousand, one queue each, and nobody is left out")
    func cutsBatches() {
        let candidates = (1...2_500).map { row in
            Self.candidate(Int64(row), environment: row.isMultiple(of: 5) ? .sandbox : .production)
        }
        let gated = Gate(app: Self.app, queues: [Self.production, Self.sandbox])
            .decide(AudiencePage(candidates: candidates))
        #expect(gated.batches.map(\.members.count).sorted() == [500, 1000, 1000])
        #expect(Set(gated.batches.flatMap(\.members)).count == 2_500)
    }

    @Test("users without an endpoint and unknown endpoints are named as such")
    func namesTheUnreachable() {
        let page = AudiencePage(usersWithoutEndpoint: [RowID(3), RowID(4)], unknownEndpoints: 2)
        let gated = Gate(app: Self.app, queues: [Self.production]).decide(page)
        #expect(gated.suppressions.map(\.reason) == [.noEndpoint, .noEndpoint, .unknownEndpoint])
        #expect(gated.batches.isEmpty)
    }
}
