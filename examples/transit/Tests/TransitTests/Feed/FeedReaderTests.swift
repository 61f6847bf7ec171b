import Foundation
import GTFSRealtime
import SwiftProtobuf
import Testing
import Transit
import TransitCity

/// The bytes of feeds, good and bad.
@Suite struct FeedReaderTests {
    private static let alert = ServiceAlert(
        id: "a-1",
        header: TranslatedText([.init("Signal failure", language: "en"), .init("信号故障", language: "ja")]),
        details: TranslatedText([.init("Expect delays")]),
        severity: .severe,
        effect: .significantDelays,
        periods: [ActivePeriod(start: 100, end: 200), ActivePeriod(start: 300)],
        entities: [InformedEntity(agency: "trains", route: "T4", routeType: 2, trip: "x", stop: "s", direction: 1)]
    )

    @Test("what is written is read")
    func roundTrip() throws {
        let snapshot = try FeedReader().read(try FeedFile.bytes([Self.alert], made: 1_000))
        #expect(snapshot == FeedSnapshot(made: 1_000, alerts: [Self.alert]))
    }

    @Test("every effect and severity of the standard")
    func enumerations() throws {
        for effect in Effect.allCases {
            for severity in Severity.allCases {
                var alert = Self.alert
                alert.effect = effect
                alert.severity = severity
                #expect(try FeedReader().read(try FeedFile.bytes([alert], made: 1)).alerts == [alert])
            }
        }
    }

    @Test("a feed cut off at any byte is refused, or shorter by whole alerts; it never ends the program")
    func truncated() throws {
        let bytes = try FeedFile.bytes([Self.alert, Self.alert], made: 1_000)
        for length in 0..<bytes.count {
            if let snapshot = try? FeedReader().read(bytes.prefix(length)) {
                #expect(snapshot.alerts.isEmpty || snapshot.alerts == [Self.alert])
            }
        }
    }

    private static func message(_ change: (inout TransitRealtime_FeedMessage) -> Void) throws -> Data {
        var message = try TransitRealtime_FeedMessage(serializedBytes: FeedFile.bytes([alert], made: 1_000))
        change(&message)
        return try message.serializedData()
    }

    @Test("a feed as a whole is refused with its reason")
    func refused() throws {
        let cases: [(Data, FeedProblem)] = [
            (try Self.message { $0.header.gtfsRealtimeVersion = "3.0" }, .version("3.0")),
            (try Self.message { $0.header.incrementality = .differential }, .differential),
            (try Self.message { $0.header.clearTimestamp() }, .noTimestamp),
            (try Self.message { $0.header.timestamp = .max }, .noTimestamp),
        ]
        for (bytes, problem) in cases { #expect(throws: problem) { try FeedReader().read(bytes) } }
        #expect(throws: FeedProblem.self) { try FeedReader().read(Data("<html>".utf8)) }
        var reader = FeedReader()
        reader.maximumAlerts = 0
        #expect(throws: FeedProblem.tooManyAlerts(1, limit: 0)) {
            try reader.read(try FeedFile.bytes([Self.alert], made: 1))
        }
    }

    @Test("one wrong alert is passed over with its reason, and the others are used")
    func oneWrong() throws {
        let changes: [(inout TransitRealtime_FeedEntity) -> Void] = [
            { $0.alert.clearHeaderText() },
            { $0.alert.informedEntity = [] },
            { $0.alert.informedEntity = [TransitRealtime_EntitySelector()] },
            { $0.alert.activePeriod[0].start = 500 },
            { $0.id = "" },
            { $0.id = String(repeating: "x", count: 600) },
        ]
        for change in changes {
            var second = Self.alert
            second.id = "a-2"
            var message = try TransitRealtime_FeedMessage(
                serializedBytes: FeedFile.bytes([Self.alert, second], made: 9)
            )
            change(&message.entity[0])
            let snapshot = try FeedReader().read(try message.serializedData())
            #expect(snapshot.alerts == [second])
            #expect(snapshot.problems.count == 1 && snapshot.unreadable.count == 1)
        }
    }

    @Test("an id that is there twice counts once, a deleted entity not at all")
    func twiceAndDeleted() throws {
        var other = Self.alert
        other.severity = .info
        let twice = try FeedReader().read(try FeedFile.bytes([Self.alert, other], made: 9))
        #expect(twice.alerts == [Self.alert] && twice.problems.count == 1)
        let deleted = try FeedReader().read(try Self.message { $0.entity[0].isDeleted = true })
        #expect(deleted.alerts.isEmpty)
    }
}
