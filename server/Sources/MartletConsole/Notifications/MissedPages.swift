import HTTPTypes
import Hummingbird
import MartletCore
import MartletStore
import MartletWire
import NIOCore

/// Who did not get a notification, and why: a page, or all of them as a file.
extension ConsoleService {
    private static let missedPageSize = 100

    /// Those who have it on none of their devices, or each device that missed it.
    private enum MissedScope: String, CaseIterable {
        case people
        case devices = "every"

        init(_ call: ConsoleCall) { self = call.query["devices"].flatMap(Self.init) ?? .people }

        var reachedOtherwise: Bool? { self == .people ? false : nil }
    }

    func missed(_ call: ConsoleCall) async throws -> ConsoleReply {
        let notification = try await notification(of: call)
        let (reason, scope) = (call.query["reason"], MissedScope(call))
        let read = { @Sendable [store] (page: PageRequest) in
            try await store.missed(notification.row, reason: reason, reachedOtherwise: scope.reachedOtherwise, page)
        }
        if call.query["format"] == "csv" { return .other(try await missedFile(notification, read)) }
        let list = "console missed \(notification.id) \(scope.rawValue) \(reason ?? "")"
        let after = try call.query["cursor"].map { text throws(Failure) in try Cursor.key(of: text, list: list) }
        let found = try await read(PageRequest(after: after, count: Self.missedPageSize))
        let reasons = try await store.missedReasons(of: notification.row, limit: PageRequest.limit)
        let app = try await store.app(.row(notification.app))
        let address = "/console/notifications/\(notification.id)"
        var values: PageValues = [
            "address": address, "name": title(of: notification, call),
            "file_address": "\(address)/missed?"
                + Link.query(["devices": scope.rawValue, "format": "csv", "reason": reason]),
            "rows": found.items.map { row($0, app, call.texts) },
            "may_resend": call.may(.send) && notification.recalledAt == nil, "is_people": scope == .people,
            "every_address": "\(address)/missed?"
                + Link.query(["devices": MissedScope.devices.rawValue, "reason": reason]),
            "scopes": MissedScope.allCases.map { one in
                Option(one.rawValue, call.texts["notifications.missed.scope.\(one)"], chosen: scope.rawValue).values
            },
            "words": Self.words(reasons, chosen: reason, call.texts),
        ]
        if found.items.isEmpty {
            values["nothing"] =
                call.texts[
                    found.next != nil ? "notifications.missed.none_yet" : "notifications.missed.none_of.\(scope)"
                ]
        }
        values.merge(.pager(next: found.next.map { Cursor.text(of: $0, list: list) }, call)) { $1 }
        return .page(
            Page(
                template: "notification_missed",
                part: .notifications,
                title: call.texts["notifications.missed.title"],
                values: values
            )
        )
    }

    /// The reasons to choose among, each with what it means; one that is asked for and that nobody missed it for as it is.
    private static func words(_ reasons: MissedReasons, chosen: String?, _ texts: Texts) -> [PageValues] {
        let known = Dictionary(grouping: reasons.counts.keys, by: \.word)
        return Set(known.keys).union(chosen.map { [$0] } ?? []).sorted().map { word in
            let why = known[word]?.first.map { " – " + texts.sentence($0.state, $0.reason) } ?? ""
            return Option(word, word + why, chosen: chosen).values
        }
    }

    private func row(_ report: DeliveryReport, _ app: App?, _ texts: Texts) -> PageValues {
        var values: PageValues = [
            "why": texts.said(
                report.detail == nil ? texts.sentence(report.state, report.reason) : report.statement
            ),
            "word": report.word,
            "platform_name": report.platform.map { texts["compose.platform.\($0.rawValue)"] } ?? "",
            "device": report.endpoint?.description ?? "", "has_device": report.endpoint != nil,
            "has_it": report.isReachedOtherwise,
        ]
        if let user = report.user {
            values["user"] = user
            if let app { values["user_address"] = "/console/people/\(app.id)/\(Link.escaped(user))" }
        }
        if let held = report.heldBy { values["held_address"] = "/console/notifications/\(held)" }
        if let at = report.at { values["at"] = PageValues.time(at) }
        return values
    }

    /// The list as CSV, written while it is read. Where reading fails the connection ends before the body does, so that
    /// nobody takes a part for the whole.
    private func missedFile(
        _ notification: MartletCore.Notification,
        _ read: @escaping @Sendable (PageRequest) async throws -> MartletCore.Page<DeliveryReport>
    ) async throws -> Response {
        // Before the answer begins, so that a refusal is a page.
        let first = try await read(PageRequest(count: PageRequest.limit))
        var headers: HTTPFields = [.contentType: "text/csv; charset=utf-8; header=present", .cacheControl: "no-store"]
        headers[.contentDisposition] = "attachment; filename=\"missed-\(notification.id).csv\""
        let body = ResponseBody { [first] writer in
            var part = first
            try await writer.write(ByteBuffer(string: CSVRow.line(MissedItem.CodingKeys.allCases.map(\.rawValue))))
            while true {
                let lines = part.items.map { CSVRow.line(MissedItem($0).cells) }.joined()
                if !lines.isEmpty { try await writer.write(ByteBuffer(string: lines)) }
                guard let next = part.next else { break }
                part = try await read(PageRequest(after: next, count: PageRequest.limit))
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }
}
