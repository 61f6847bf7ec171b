import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting

@testable import PushNotificationSDKUI

/// An inbox that answers as a test says.
@MainActor
final class ScriptedInbox: InboxSource {
    var user: String? = "a"
    /// Ended, unless a test sets another.
    var userChanges = AsyncStream<Void> { $0.finish() }
    var cached: CachedInbox?
    /// Ended, unless a test sets another: then a model's `run` ends with its first answer.
    var updates = AsyncStream<InboxUpdate> { $0.finish() }
    /// What the server has, newest first.
    var items: [InboxItem]
    /// Why no page can be read.
    var trouble: PushNotificationError?
    /// Why no mark is taken.
    var refusal: PushNotificationError?
    /// How many entries this has to have before an answer that is made already arrives.
    var gate: (Journal<Void>, Int)?
    /// The cursors that pages were read with, each as its answer is made.
    let pages = Journal<String?>()
    /// What was marked: the mark and the item, or `..` and the newest of all.
    let marks = Journal<String>()
    let opened = Journal<String>()

    /// The server has so many items of which none was seen.
    init(count: Int = 0) { items = (0..<count).reversed().map { .sample($0) } }

    /// The most items of a page.
    static let width = 3

    func page(after cursor: String?) async throws(PushNotificationError) -> InboxPage {
        let rest = cursor.map { cursor in Array(items.drop { $0.id >= cursor }) } ?? items
        let page = Array(rest.prefix(Self.width))
        let made = InboxPage(items: page, cursor: rest.count > page.count ? page.last?.id : nil)
        let trouble = trouble
        await arrive(pages, cursor)
        // A call of the SDK's ends with its task, too.
        if Task.isCancelled { throw .offline }
        if let trouble { throw trouble }
        return made
    }

    func counts() async throws(PushNotificationError) -> InboxCounts {
        if let trouble { throw trouble }
        return InboxCounts(unread: items.filter { !$0.isRead }.count, unseen: 0, revision: 1)
    }

    func mark(_ itemID: String, as mark: InboxMark) async throws(PushNotificationError) {
        try await take("\(mark) \(itemID)") { $0.id == itemID ? $0.after(mark) : $0 }
    }

    func markAll(upTo itemID: String, as mark: InboxMark) async throws(PushNotificationError) {
        try await take("\(mark) ..\(itemID)") { $0.id <= itemID ? $0.after(mark) : $0 }
    }

    func open(_ item: InboxItem) { opened.add(item.id) }

    private func take(_ entry: String, _ change: (InboxItem) -> InboxItem) async throws(PushNotificationError) {
        let refusal = refusal
        if refusal == nil { items = items.map(change).filter { !$0.isArchived } }
        marks.add(entry)
        if let (journal, count) = gate { _ = await journal.wait(for: count) }
        if let refusal { throw refusal }
    }

    private func arrive(_ journal: Journal<String?>, _ cursor: String?) async {
        let gate = gate
        journal.add(cursor)
        if let (journal, count) = gate { _ = await journal.wait(for: count) }
    }
}

extension InboxItem {
    /// A later number is a newer item.
    static func sample(_ number: Int, isSeen: Bool = false, isRead: Bool = false) -> InboxItem {
        let time = Int64(1_772_366_000_000) + Int64(number) * 1000
        var response = InboxItemResponse(
            id: PublicID(high: 0x0192_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(number)),
            publishedAt: UTCTime(milliseconds: time),
            expiresAt: UTCTime(milliseconds: time + 90 * 86_400_000),
            isSeen: isSeen || isRead,
            isRead: isRead,
            isArchived: false
        )
        response.title = "\(number)"
        return InboxItem(response, links: .nothing)
    }
}

extension PushNotificationError {
    static var offline: PushNotificationError { .networkError(TransportError.unreachable("offline")) }
    static var refused: PushNotificationError { .serverError(statusCode: 404, message: "No.") }
}

/// The changes of a model, to wait for what they come to.
@MainActor
struct Changes {
    private let journal = Journal<Void>()

    init(of model: some ChangingModel) {
        model.onChange = { [journal] in journal.add(()) }
    }

    /// Waits until something holds, or the suite's time is over.
    func wait(until holds: () -> Bool) async {
        while !holds(), !Task.isCancelled { _ = await journal.wait(for: journal.entries.count + 1) }
    }
}
