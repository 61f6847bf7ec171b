import Foundation
import MartletCore
import MartletWire

extension PageValues {
    /// A moment as templates show it: `{{#time}}<time datetime="{{iso}}">{{text}}</time>{{/time}}`, to the second and in the
    /// reader's zone. The page's script says of a recent one how long ago it is.
    static func time(_ moment: Timestamp) -> PageValues {
        let date = Date(timeIntervalSince1970: Double(moment.rawValue) / 1_000)
        let zone = ViewerZone.current
        let style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
            .time(includingFractionalSeconds: false)
        let name = zone == ViewerZone.utc ? "UTC" : zone.abbreviation(for: date) ?? zone.identifier
        return [
            "iso": date.formatted(.iso8601),
            "text": String(style.format(date).replacing("T", with: " ").prefix(19)) + " " + name,
        ]
    }

    /// The link to the next page of a list; nothing where the list has ended.
    static func pager(next cursor: String?, _ call: ConsoleCall) -> PageValues {
        guard let cursor else { return [:] }
        return ["next": call.address(changing: "cursor", to: cursor)]
    }
}
