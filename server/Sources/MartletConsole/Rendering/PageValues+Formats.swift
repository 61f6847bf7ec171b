import Foundation
import MartletCore
import MartletWire

extension PageValues {
    /// A moment as templates show it: `{{#time}}<time datetime="{{iso}}">{{text}}</time>{{/time}}`, in UTC until the page's
    /// script writes the reader's own time.
    static func time(_ moment: Timestamp) -> PageValues {
        let date = Date(timeIntervalSince1970: Double(moment.rawValue) / 1_000)
        let iso = date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false))
        return [
            "iso": date.formatted(.iso8601),
            "text": String(iso.replacing("T", with: " ").prefix(16)) + " UTC",
        ]
    }

    /// The link to the next page of a list; nothing where the list has ended.
    static func pager(next cursor: String?, _ call: ConsoleCall) -> PageValues {
        guard let cursor else { return [:] }
        return ["next": call.address(changing: "cursor", to: cursor)]
    }
}
