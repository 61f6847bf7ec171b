import Testing

@testable import MartletCore

@Suite struct WaitingDeliveriesTests {
    typealias Owner = WaitingDeliveries.Owner

    struct Line: Sendable {
        var counts: [Owner: Int]
        var owners: Set<Owner>
        var isRefused: Bool
    }

    static let one = Owner.app(RowID(1))
    static let two = Owner.app(RowID(2))

    /// With a bound of 100.
    static let table = [
        Line(counts: [:], owners: [one], isRefused: false),
        Line(counts: [one: 100], owners: [one], isRefused: false),
        Line(counts: [one: 101], owners: [one], isRefused: true),
        Line(counts: [one: 101], owners: [two], isRefused: false),
        Line(counts: [one: 101, two: 50], owners: [two], isRefused: false),
        Line(counts: [one: 101, two: 51], owners: [two], isRefused: true),
        Line(counts: [one: 60, two: 40], owners: [one], isRefused: false),
        Line(counts: [one: 61, two: 40], owners: [one], isRefused: true),
        Line(counts: [one: 61, two: 40], owners: [two], isRefused: false),
        Line(counts: [one: 61, two: 40], owners: [one, two], isRefused: true),
        Line(counts: [one: 90, two: 5, .app(RowID(3)): 6], owners: [two], isRefused: false),
        Line(counts: [one: 60, two: 60, .app(RowID(3)): 1], owners: [two], isRefused: true),
        Line(counts: [one: 49, two: 60, .app(RowID(3)): 1], owners: [one], isRefused: false),
        Line(counts: [one: 200], owners: [two], isRefused: false),
        Line(counts: [one: 201], owners: [two], isRefused: true),
        Line(counts: [one: 61, .webhooks: 40], owners: [two, .webhooks], isRefused: false),
        Line(counts: [one: 40, .webhooks: 61], owners: [two, .webhooks], isRefused: true),
    ]

    @Test(
        "up to the bound everybody sends; beyond it who has no more than a fair share; beyond twice the bound nobody",
        arguments: table
    )
    func refuses(_ line: Line) {
        var waiting = WaitingDeliveries()
        for (owner, count) in line.counts { waiting.add(count, of: owner) }
        #expect(waiting.total == line.counts.values.reduce(0, +))
        #expect(waiting.isRefused(line.owners, limit: 100) == line.isRefused)
    }

    @Test("who has nothing waiting takes no share")
    func emptyOwner() {
        var waiting = WaitingDeliveries()
        waiting.add(0, of: .webhooks)
        #expect(waiting == WaitingDeliveries())
    }
}
