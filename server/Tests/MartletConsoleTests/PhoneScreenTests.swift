import Foundation
import MartletWire
import NIOCore
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("Virtual phones") struct PhoneScreenTests {
    private func push(
        _ sequence: Int,
        on device: String = "a",
        message: String? = nil,
        collapse: String? = nil
    ) -> SimulatedPush {
        SimulatedPush(
            platform: .apns,
            device: device,
            at: Timestamp(milliseconds: Int64(sequence)),
            title: "\(sequence)",
            body: "",
            messageID: message,
            collapseID: collapse,
            badge: nil,
            sequence: sequence
        )
    }

    @Test("the phone with the newest push comes first, and its newest push")
    func order() {
        let screens = PhoneScreens([push(1), push(2, on: "b"), push(3)], answered: [])
        #expect(screens.phones.map(\.device) == ["a", "b"])
        #expect(screens.phones.first?.pushes.map(\.sequence) == [3, 1])
    }

    @Test("a push replaces the one with its collapse id on the same phone alone")
    func collapsed() {
        let pushes = [push(1, collapse: "x"), push(2, on: "b", collapse: "x"), push(3, collapse: "x")]
        let screens = PhoneScreens(pushes, answered: [])
        #expect(screens.phones.map { $0.pushes.map(\.sequence) } == [[3], [2]])
    }

    @Test("what was answered on a phone shows there no more, and the phone stays")
    func answered() {
        let pushes = [push(1, message: "m"), push(2, on: "b", message: "m")]
        let screens = PhoneScreens(pushes, answered: [.init(device: "a", messageID: "m")])
        #expect(screens.phones.map(\.device) == ["b", "a"])
        #expect(screens.phones.map(\.pushes.count) == [1, 0])
    }

    @Test("a table has so many phones and a phone so many pushes")
    func bounds() {
        let many = (0..<100).map { push($0, on: "d\($0)") } + (100..<150).map { push($0) }
        let screens = PhoneScreens(many, answered: [])
        #expect(screens.phones.count == PhoneScreens.phoneLimit)
        #expect(screens.phones.first?.pushes.count == PhoneScreens.pushLimit)
    }

    @Test("a log is read from where it was, near its end, and anew when it was emptied")
    func reading() throws {
        var log = SimulatorLog(.apns)
        #expect(log.reading(total: 0) == nil)
        #expect(log.reading(total: 10_000) == 10_000 - SimulatorLog.limit)
        log.add(try report(#"[\#(Self.item(seq: 10_000))]"#, next: 10_000))
        #expect(log.pushes.map(\.sequence) == [10_000])
        #expect(log.reading(total: 10_000) == nil)
        #expect(log.reading(total: 10_001) == 10_000)
        #expect(log.reading(total: 3) == 0)
        #expect(log.pushes.isEmpty)
    }

    private static func item(seq: Int, payload: String = #"{"aps":{"alert":"Hi"}}"#) -> String {
        """
        {"seq":\(seq),"time":1000,"path":"/3/device/ab","token":"ab","headers":{"apns-push-type":"alert"},\
        "payload":\(payload),"status":200,"outcome":"answered"}
        """
    }

    private func report(_ items: String, next: Int) throws -> SimulatorReport {
        let json = "{\"received\":\(items),\"next\":\(next)}"
        return try JSONDecoder().decode(SimulatorReport.self, from: Data(json.utf8))
    }

    @Test("what was refused, what works unseen and what is no object is on no screen")
    func unseen() throws {
        let refused = Self.item(seq: 1).replacing("200", with: "410")
        let silent = Self.item(seq: 2, payload: #"{"aps":{"content-available":1}}"#)
        let background = Self.item(seq: 3).replacing(":\"alert\"}", with: ":\"background\"}")
        let text = Self.item(seq: 4, payload: "\"x\"")
        let shown = try report("[\(refused),\(silent),\(background),\(text),\(Self.item(seq: 5))]", next: 5).shown(
            on: .apns
        )
        #expect(shown.map(\.sequence) == [5])
    }

    @Test("each service's own form is read")
    func forms() {
        let apple = PushedText(
            apns: [
                "aps": ["alert": ["title": "T", "subtitle": "S", "body": "B"], "badge": 3], "message_id": "m",
            ],
            headers: ["apns-collapse-id": "c"]
        )
        #expect(apple?.title == "T" && apple?.body == "S\nB" && apple?.badge == 3)
        #expect(apple?.messageID == "m" && apple?.collapseID == "c")
        let firebase = PushedText(fcm: [
            "message": [
                "notification": ["title": "T", "body": "B"],
                "android": ["notification": ["body": "own", "tag": "c"]], "data": ["message_id": "m"],
            ]
        ])
        #expect(firebase?.title == "T" && firebase?.body == "own")
        #expect(firebase?.messageID == "m" && firebase?.collapseID == "c")
        #expect(PushedText(fcm: ["message": ["data": ["message_id": "m"]]]) == nil)
        let browser = PushedText(
            webPush: ["web_push": 8030, "notification": ["title": "T", "data": ["message_id": "m"]]],
            headers: ["topic": "c"]
        )
        #expect(browser?.title == "T" && browser?.messageID == "m" && browser?.collapseID == "c")
    }
}
