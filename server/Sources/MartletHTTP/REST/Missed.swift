import HTTPTypes
import Hummingbird
import MartletCore
import MartletStore
import MartletWire
import NIOCore

/// Who did not get a notification, and why: a page, or all of them as a file.
extension MartletAPI {
    func listMissed(_ call: Call) async throws -> MissedAnswer {
        let page = try call.page()
        let isFile = call.query("format") == MissedFormat.csv.rawValue
        if isFile, call.query("limit") != nil {
            throw Failure.invalid("limit", "A file has everybody.", hint: "Leave it out, or ask without 'format'.")
        }
        let reason = call.query("reason")
        if reason?.isEmpty == true {
            throw Failure.invalid("reason", "It must not be empty.", hint: "Leave it out for all reasons.")
        }
        let reachedOtherwise = call.query("reached_otherwise").map { $0 == "true" }
        let notification = try await notification(of: call)
        let read = { @Sendable [store] (part: PageRequest) in
            try await store.missed(notification.row, reason: reason, reachedOtherwise: reachedOtherwise, part)
        }
        guard isFile else { return .page(call.list(try await read(page), MissedItem.init)) }
        let readPart = { @Sendable (after: Int64?) in
            try await read(PageRequest(after: after, count: MissedFile.part))
        }
        // The first part is read before the answer begins, so that a refusal has its own status.
        return .file(MissedFile(notification: notification.id, first: try await readPart(page.after), read: readPart))
    }
}

/// How the list is written.
enum MissedFormat: String, CaseIterable {
    case json, csv
}

/// A page of the list, or the whole as a file.
enum MissedAnswer: ResponseGenerator {
    case page(List<MissedItem>)
    case file(MissedFile)

    static var shape: AnswerShape { .listOrFile(MissedItem.schema) }

    func response(default status: HTTPResponse.Status) throws -> Response {
        switch self {
        case .page(let list): try list.response(default: status)
        case .file(let file): file.response(status)
        }
    }
}

/// The list as CSV, written while it is read: a part of it is in memory at a time. Where reading fails the connection ends
/// before the body does, so that nobody takes a part for the whole.
struct MissedFile: Sendable {
    /// How many lines are read at a time: the store's bound.
    static let part = PageRequest.limit

    let notification: PublicID
    let first: Page<DeliveryReport>
    let read: @Sendable (Int64?) async throws -> Page<DeliveryReport>

    func response(_ status: HTTPResponse.Status) -> Response {
        var headers: HTTPFields = [.contentType: "text/csv; charset=utf-8; header=present"]
        headers[.contentDisposition] = "attachment; filename=\"missed-\(notification).csv\""
        let body = ResponseBody { [first, read] writer in
            var part = first
            try await writer.write(ByteBuffer(string: CSVRow.line(MissedItem.CodingKeys.allCases.map(\.rawValue))))
            while true {
                let lines = part.items.map { CSVRow.line(MissedItem($0).cells) }.joined()
                if !lines.isEmpty { try await writer.write(ByteBuffer(string: lines)) }
                guard let next = part.next else { break }
                part = try await read(next)
            }
            try await writer.finish(nil)
        }
        return Response(status: status, headers: headers, body: body)
    }
}
