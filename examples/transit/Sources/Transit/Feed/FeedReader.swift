package import Foundation
import GTFSRealtime
import SwiftProtobuf

/// A feed's content: when it was made and the alerts in it.
package struct FeedSnapshot: Sendable, Equatable {
    /// Seconds since 1970.
    package var made: Int
    package var alerts: [ServiceAlert]
    /// Alerts that are in the feed and could not be read: what is known of them stays.
    package var unreadable: Set<String>
    /// One for each alert that was passed over.
    package var problems: [FeedProblem]

    package init(
        made: Int,
        alerts: [ServiceAlert],
        unreadable: Set<String> = [],
        problems: [FeedProblem] = []
    ) {
        self.made = made
        self.alerts = alerts
        self.unreadable = unreadable
        self.problems = problems
    }
}

/// Reads the bytes of a GTFS-Realtime feed.
package struct FeedReader: Sendable {
    package var maximumAlerts = 50_000
    package var maximumEntities = 5_000

    package init() {}

    package func read(_ bytes: Data) throws(FeedProblem) -> FeedSnapshot {
        let message: TransitRealtime_FeedMessage
        do {
            message = try TransitRealtime_FeedMessage(serializedBytes: bytes)
        } catch {
            throw .malformed("\(error)")
        }
        let version = message.header.gtfsRealtimeVersion
        guard version.hasPrefix("1") || version.hasPrefix("2") else { throw .version(version) }
        guard message.header.incrementality == .fullDataset else { throw .differential }
        guard message.header.hasTimestamp, let made = Int(exactly: message.header.timestamp), made > 0 else {
            throw .noTimestamp
        }
        guard message.entity.count <= maximumAlerts else {
            throw .tooManyAlerts(message.entity.count, limit: maximumAlerts)
        }
        return snapshot(message, made: made)
    }

    private func snapshot(_ message: TransitRealtime_FeedMessage, made: Int) -> FeedSnapshot {
        var snapshot = FeedSnapshot(made: made, alerts: [])
        var seen: Set<String> = []
        for entity in message.entity where entity.hasAlert && !entity.isDeleted {
            guard seen.insert(entity.id).inserted else {
                snapshot.problems.append(.alert(id: entity.id, reason: "its id is in the feed twice; the first counts"))
                continue
            }
            do throws(FeedProblem) {
                snapshot.alerts.append(try alert(entity))
            } catch {
                snapshot.problems.append(error)
                snapshot.unreadable.insert(entity.id)
            }
        }
        return snapshot
    }

    private func alert(_ entity: TransitRealtime_FeedEntity) throws(FeedProblem) -> ServiceAlert {
        let alert = entity.alert
        func wrong(_ reason: String) -> FeedProblem { .alert(id: entity.id, reason: reason) }
        guard !entity.id.isEmpty, entity.id.utf8.count <= 512 else { throw wrong("its id has no or over 512 bytes") }
        let header = TranslatedText(alert.headerText)
        guard !header.isEmpty else { throw wrong("it has no header") }
        guard alert.informedEntity.count <= maximumEntities else { throw wrong("it names too many entities") }
        let entities = alert.informedEntity.map(InformedEntity.init).filter { !$0.isEmpty }
        guard !entities.isEmpty else { throw wrong("it names nothing of the network") }
        let periods = alert.activePeriod.map(ActivePeriod.init)
        guard periods.allSatisfy({ ($0.start ?? .min) < ($0.end ?? .max) }) else {
            throw wrong("a period ends before it begins")
        }
        return ServiceAlert(
            id: entity.id,
            header: header,
            details: TranslatedText(alert.descriptionText),
            severity: Severity(alert.severityLevel),
            effect: Effect(alert.effect),
            periods: periods,
            entities: entities
        )
    }
}
