import MartletCore
import MartletWire

extension ConsoleCall {
    /// Which part of a list is asked for.
    ///
    /// - Throws: `Failure` naming `cursor`.
    func listPage(_ list: String, count: Int = 50) throws(Failure) -> PageRequest {
        let after = try query["cursor"].map { text throws(Failure) in try Cursor.key(of: text, list: list) }
        return PageRequest(after: after, count: count)
    }

    /// The link to the next page of a list; nothing where it has ended.
    func pager(_ list: String, next: Int64?) -> PageValues {
        .pager(next: next.map { Cursor.text(of: $0, list: list) }, self)
    }

    /// A text of somebody's message, as who asks may read it.
    func payloadText(_ text: String?) -> String? {
        guard let text else { return nil }
        return may(.readUnmasked) ? text : "•••••"
    }
}
