import Foundation
import MartletFilter

/// P8: how many messages a second are matched against the filter policies of a topic, each read from its parts as
/// `Publish` has them.
struct FilterPolicies {
    static let subscriptions = 10_000
    /// What event-ruler (Java) did elsewhere, messages a second: it is no floor of this minute, and is not run here.
    static let peer = 35_000.0

    func rows() throws -> [Row] {
        let index = FilterIndex(try policies().enumerated().map { ($0.offset, $0.element) })
        let messages = self.messages()
        let rounds = 100
        var found = 0
        // Once to warm up, and then the best of some: neighbours on the machine only ever make it slower.
        var best = 0.0
        for _ in 0..<4 {
            let start = ContinuousClock.now
            found = 0
            for _ in 0..<rounds {
                for (attributes, body) in messages {
                    let message = FilterMessage(attributes: attributes, body: index.readsBody ? body : nil)
                    found += index.matches(message).count
                }
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            best = max(best, Double(rounds * messages.count) / seconds)
        }
        let each = Double(found) / Double(rounds * messages.count)
        return [
            Row(
                "P8 filter policies, \(Self.subscriptions) subscriptions",
                ours: "\(best.text(0))/s",
                floor: "\(Self.peer.text(0))/s, from elsewhere",
                ratio: (best / Self.peer).text(2),
                goal: "> 1",
                isMet: best > Self.peer,
                note: "\(each.text(1)) subscriptions match a message; event-ruler's (Java) figure was not measured here"
            )
        ]
    }

    /// Seven of ten name a device, the others a range of prices, a beginning or an exception, in both scopes.
    private func policies() throws -> [FilterPolicy] {
        try (0..<Self.subscriptions).map { number in
            switch number % 10 {
            case 0...4: try FilterPolicy(#"{"device_id":["device-\#(number)"]}"#)
            case 5...6: try FilterPolicy(#"{"detail":{"device":["device-\#(number)"]}}"#, scope: .messageBody)
            case 7:
                try FilterPolicy(
                    #"{"store":["store-\#(number % 100)"],"price":[{"numeric":[">=",\#(number),"<",\#(number + 50)]}]}"#
                )
            case 8: try FilterPolicy(#"{"route":[{"prefix":"route-\#(number)-"}]}"#)
            default:
                try FilterPolicy(
                    #"{"device_id":[{"prefix":"device-\#(number % 1_000)"}],"event":[{"anything-but":["test","ev-\#(number)"]}]}"#
                )
            }
        }
    }

    private func messages() -> [([FilterAttribute], [UInt8])] {
        (0..<200).map { number in
            let device = number * 47 % Self.subscriptions
            let attributes = [
                FilterAttribute(name: "device_id", dataType: "String", value: "device-\(device)"),
                FilterAttribute(name: "store", dataType: "String", value: "store-\(number % 100)"),
                FilterAttribute(name: "price", dataType: "Number", value: "\(device).5"),
                FilterAttribute(name: "route", dataType: "String", value: "route-\(device)-west"),
                FilterAttribute(name: "event", dataType: "String", value: "order-placed"),
            ]
            let body = #"{"id":\#(number),"detail":{"device":"device-\#(device)","action":"open","date":"2026-11-21"}}"#
            return (attributes, Array(body.utf8))
        }
    }
}
