import Foundation
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKUI

@MainActor
@Suite(.timeLimit(.minutes(1))) struct InboxModelTests {
    private func titles(_ model: InboxModel) -> [String] { model.items.compactMap(\.title) }
    private func read(_ model: InboxModel) -> [Bool] { model.items.map(\.isRead) }

    @Test("what is kept is shown before there is an answer, and then what the server says")
    func kept() async {
        let source = ScriptedInbox(count: 2)
        source.cached = CachedInbox(items: [.sample(7)], counts: nil)
        let gate = Journal<Void>()
        source.gate = (gate, 1)
        let model = InboxModel(source)
        #expect(model.content == .loading)
        async let run: Void = model.run()
        _ = await source.pages.wait(for: 1)
        #expect(model.content == .items(trouble: nil))
        #expect(titles(model) == ["7"])
        gate.add(())
        await run
        #expect(titles(model) == ["1", "0"])
    }

    @Test("without a connection what is kept stays, with the reason; where nothing is kept, the reason alone")
    func offline() async {
        let source = ScriptedInbox(count: 2)
        source.trouble = .offline
        let empty = InboxModel(source)
        await empty.run()
        #expect(empty.content == .failed(.offline))
        source.cached = CachedInbox(items: source.items, counts: nil)
        let model = InboxModel(source)
        await model.run()
        #expect(model.content == .items(trouble: .offline))
        #expect(titles(model) == ["1", "0"])
        #expect(!model.hasMore)
        source.trouble = nil
        for model in [empty, model] {
            await model.refresh()
            #expect(model.content == .items(trouble: nil))
        }
    }

    @Test("an inbox without items is empty, and not one that is still read")
    func empty() async {
        let model = InboxModel(ScriptedInbox())
        await model.run()
        #expect(model.content == .empty)
    }

    @Test("where nobody is logged in, nothing is shown of whoever was")
    func nobody() async {
        let source = ScriptedInbox(count: 2)
        let model = InboxModel(source)
        await model.run()
        source.trouble = .loginRequired
        await model.refresh()
        #expect(model.content == .failed(.loginRequired))
        #expect(model.items.isEmpty)
    }

    @Test("of one user's list nothing is left for the next, also where the next one's page cannot be read")
    func anotherUser() async {
        let source = ScriptedInbox(count: 7)
        let (userChanges, sender) = AsyncStream.makeStream(of: Void.self)
        source.userChanges = userChanges
        let model = InboxModel(source)
        let changes = Changes(of: model)
        let run = Task { await model.run() }
        await changes.wait { model.hasMore }
        source.user = "b"
        source.trouble = .offline
        sender.yield()
        await changes.wait { model.content == .failed(.offline) }
        #expect(model.items.isEmpty && !model.hasMore)
        // The same user again, where nothing could be read.
        source.items = [.sample(9)]
        source.trouble = nil
        sender.yield()
        await changes.wait { titles(model) == ["9"] }
        source.user = nil
        source.trouble = .loginRequired
        sender.yield()
        await changes.wait { model.content == .failed(.loginRequired) }
        #expect(model.items.isEmpty)
        run.cancel()
        await run.value
    }

    @Test("a list that is shown or read again after another login is the new user's", arguments: [true, false])
    func anotherUserWithoutAHint(_ isRun: Bool) async {
        let source = ScriptedInbox(count: 7)
        let model = InboxModel(source)
        await model.run()
        source.user = "b"
        source.trouble = .offline
        source.cached = CachedInbox(items: [.sample(9)], counts: nil)
        if isRun { await model.run() } else { await model.refresh() }
        #expect(titles(model) == ["9"])
        #expect(model.content == .items(trouble: .offline) && !model.hasMore)
    }

    @Test(
        "an answer to somebody who is not the user any more changes nothing, and the new user's list is read",
        arguments: [nil, PushNotificationError.loginRequired]
    )
    func answerToAnotherUser(_ trouble: PushNotificationError?) async {
        let source = ScriptedInbox(count: 7)
        let model = InboxModel(source)
        await model.run()
        for isMore in [true, false] {
            let number = source.pages.entries.count + 1
            let gate = Journal<Void>()
            source.gate = (gate, 1)
            source.trouble = trouble
            let old = Task { if isMore { await model.loadMore() } else { await model.refresh() } }
            _ = await source.pages.wait(for: number)
            source.gate = nil
            source.trouble = nil
            source.user = isMore ? "b" : "c"
            source.items = [.sample(isMore ? 8 : 9)]
            let changes = Changes(of: model)
            gate.add(())
            await old.value
            await changes.wait { model.content == .items(trouble: nil) }
            #expect(titles(model) == [isMore ? "8" : "9"])
            #expect(model.moreTrouble == nil)
            // Something to read behind it, for the next round.
            source.items = (0..<7).reversed().map { .sample($0) }
            await model.refresh()
        }
    }

    @Test("no mark is made for whoever logged in since, and nobody is told of one that was another user's")
    func marksOfAnotherUser() async {
        let source = ScriptedInbox(count: 2)
        let model = InboxModel(source)
        await model.run()
        _ = await source.marks.wait(for: 1)
        let gate = Journal<Void>()
        source.gate = (gate, 1)
        source.refusal = .loginRequired
        async let mark: Void = model.mark(model.items[0], as: .read)
        _ = await source.marks.wait(for: 2)
        source.user = "b"
        gate.add(())
        await mark
        #expect(model.refusal == nil)
        source.user = "c"
        await model.open(.sample(0))
        source.user = "d"
        await model.mark(.sample(0), as: .archived)
        #expect(source.marks.entries.filter { !$0.hasPrefix("seen") }.count == 1)
        #expect(source.opened.entries.isEmpty)
    }

    @Test("a list is not empty while older items follow those that the person put away")
    func putAway() async {
        let source = ScriptedInbox(count: 5)
        let model = InboxModel(source)
        await model.run()
        for item in model.items { await model.mark(item, as: .archived) }
        #expect(model.items.isEmpty && model.hasMore)
        #expect(model.content == .items(trouble: nil))
        await model.loadMore()
        #expect(titles(model) == ["1", "0"])
        for item in model.items { await model.mark(item, as: .archived) }
        #expect(model.content == .empty)
    }

    @Test("a page whose reader leaves the screen arrives all the same, and one that left before it began is not read")
    func readerLeaves() async {
        let source = ScriptedInbox(count: 7)
        let model = InboxModel(source)
        await model.run()
        let gate = Journal<Void>()
        source.gate = (gate, 1)
        let reader = Task { await model.loadMore() }
        _ = await source.pages.wait(for: 2)
        reader.cancel()
        gate.add(())
        await reader.value
        #expect(titles(model) == ["6", "5", "4", "3", "2", "1"])
        #expect(model.moreTrouble == nil)
        let late = Task { await model.loadMore() }
        // It has not begun: the test has the main actor.
        late.cancel()
        await late.value
        #expect(source.pages.entries.count == 2)
    }

    @Test("older items follow by cursor to the last one, each once; a page that fails is asked for again")
    func older() async {
        let source = ScriptedInbox(count: 7)
        let model = InboxModel(source)
        await model.run()
        #expect(titles(model) == ["6", "5", "4"])
        source.trouble = .offline
        await model.loadMore()
        #expect(model.moreTrouble == .offline)
        #expect(model.content == .items(trouble: nil))
        source.trouble = nil
        await model.loadMore()
        #expect(model.moreTrouble == nil)
        #expect(titles(model) == ["6", "5", "4", "3", "2", "1"])
        await model.loadMore()
        #expect(titles(model) == ["6", "5", "4", "3", "2", "1", "0"])
        #expect(!model.hasMore)
        let pages = source.pages.entries.count
        await model.loadMore()
        #expect(source.pages.entries.count == pages)
    }

    @Test("a page that is behind a list which began anew meanwhile is not added to it, and holds up no other")
    func olderThanAnotherList() async {
        let source = ScriptedInbox(count: 7)
        let model = InboxModel(source)
        await model.run()
        let gate = Journal<Void>()
        source.gate = (gate, 1)
        async let more: Void = model.loadMore()
        _ = await source.pages.wait(for: 2)
        source.gate = nil
        source.items.insert(contentsOf: (7..<17).reversed().map { .sample($0) }, at: 0)
        await model.refresh()
        #expect(titles(model) == ["16", "15", "14"])
        await model.loadMore()
        #expect(titles(model) == ["16", "15", "14", "13", "12", "11"])
        gate.add(())
        await more
        #expect(titles(model) == ["16", "15", "14", "13", "12", "11"])
    }

    @Test("a change reads the newest page again, and the older ones stay where they follow it without a gap")
    func updates() async {
        let source = ScriptedInbox(count: 7)
        let (updates, sender) = AsyncStream.makeStream(of: InboxUpdate.self)
        source.updates = updates
        let model = InboxModel(source)
        let changes = Changes(of: model)
        let run = Task { await model.run() }
        await changes.wait { model.hasMore }
        await model.loadMore()
        source.items.removeAll { $0.title == "5" }
        source.items.insert(.sample(7), at: 0)
        sender.yield(.revision(2))
        await changes.wait { model.items.first?.title == "7" }
        #expect(titles(model) == ["7", "6", "4", "3", "2", "1"])
        await model.loadMore()
        #expect(titles(model) == ["7", "6", "4", "3", "2", "1", "0"])
        source.items.insert(contentsOf: (8..<18).reversed().map { .sample($0) }, at: 0)
        sender.yield(.revision(3))
        await changes.wait { model.items.first?.title == "17" }
        #expect(titles(model) == ["17", "16", "15"])
        #expect(model.hasMore)
        run.cancel()
        await run.value
    }

    @Test("older items that were read elsewhere, or recalled, are brought up to date, though no change names them")
    func olderUpdates() async {
        let source = ScriptedInbox(count: 8)
        let (updates, sender) = AsyncStream.makeStream(of: InboxUpdate.self)
        source.updates = updates
        let model = InboxModel(source)
        let changes = Changes(of: model)
        let run = Task { await model.run() }
        await changes.wait { model.hasMore }
        await model.loadMore()
        #expect(titles(model) == ["7", "6", "5", "4", "3", "2"])
        source.items = source.items.filter { $0.title != "3" }.map { $0.after(.read) }
        sender.yield(.revision(2))
        await changes.wait { read(model).allSatisfy { $0 } }
        #expect(titles(model) == ["7", "6", "5", "4", "2", "1"])
        #expect(source.pages.entries.count == 4)
        await model.loadMore()
        #expect(titles(model) == ["7", "6", "5", "4", "2", "1", "0"])
        run.cancel()
        await run.value
    }

    @Test("a change reads a bounded number of pages anew, and those behind them when they are needed")
    func boundedUpdates() async {
        let source = ScriptedInbox(count: ScriptedInbox.width * (InboxModel.pagesReadAgain + 2))
        let (updates, sender) = AsyncStream.makeStream(of: InboxUpdate.self)
        source.updates = updates
        let model = InboxModel(source)
        let changes = Changes(of: model)
        let run = Task { await model.run() }
        await changes.wait { model.hasMore }
        for _ in 0..<InboxModel.pagesReadAgain { await model.loadMore() }
        let count = ScriptedInbox.width * InboxModel.pagesReadAgain
        #expect(model.items.count == count + ScriptedInbox.width)
        sender.yield(.revision(2))
        await changes.wait { model.items.count == count }
        await model.loadMore()
        #expect(model.items.count == count + ScriptedInbox.width && model.hasMore)
        run.cancel()
        await run.value
    }

    @Test("a change that the page which was read has already is not read again")
    func knownUpdates() async {
        let source = ScriptedInbox(count: 1)
        source.cached = CachedInbox(items: [], counts: InboxCounts(unread: 1, unseen: 1, revision: 5))
        source.updates = AsyncStream { stream in
            stream.yield(.revision(5))
            stream.finish()
        }
        await InboxModel(source).run()
        #expect(source.pages.entries == [nil])
    }

    @Test("an answer that was overtaken by a newer one is not shown")
    func overtaken() async {
        let source = ScriptedInbox(count: 1)
        let model = InboxModel(source)
        let gate = Journal<Void>()
        source.gate = (gate, 1)
        async let old: Void = model.refresh()
        _ = await source.pages.wait(for: 1)
        source.gate = nil
        source.items.insert(.sample(1), at: 0)
        await model.refresh()
        gate.add(())
        await old
        #expect(titles(model) == ["1", "0"])
    }

    @Test("what is in the list is marked as seen, once, up to the newest item")
    func seen() async {
        let source = ScriptedInbox(count: 2)
        let model = InboxModel(source)
        let newest = source.items[0].id
        await model.run()
        #expect(await source.marks.wait(for: 1) == ["seen ..\(newest)"])
        await model.refresh()
        await model.mark(model.items[0], as: .read)
        #expect(source.marks.entries == ["seen ..\(newest)", "read \(newest)"])
    }

    @Test("a mark is shown before the server has it")
    func marks() async {
        let source = ScriptedInbox(count: 2)
        let model = InboxModel(source)
        await model.run()
        _ = await source.marks.wait(for: 1)
        let gate = Journal<Void>()
        source.gate = (gate, 1)
        async let mark: Void = model.mark(model.items[1], as: .read)
        _ = await source.marks.wait(for: 2)
        #expect(read(model) == [false, true])
        gate.add(())
        await mark
        #expect(read(model) == [false, true])
        #expect(model.refusal == nil)
    }

    @Test("an item that is put away leaves the list, and stands where it was when the server refuses")
    func refused() async {
        let source = ScriptedInbox(count: 3)
        let model = InboxModel(source)
        await model.run()
        _ = await source.marks.wait(for: 1)
        source.refusal = .refused
        let gate = Journal<Void>()
        source.gate = (gate, 1)
        async let mark: Void = model.mark(model.items[1], as: .archived)
        _ = await source.marks.wait(for: 2)
        #expect(titles(model) == ["2", "0"])
        gate.add(())
        await mark
        #expect(titles(model) == ["2", "1", "0"])
        #expect(model.refusal == .refused)
        model.dismissRefusal()
        #expect(model.refusal == nil)
        source.refusal = nil
        source.gate = nil
        await model.mark(model.items[1], as: .archived)
        #expect(titles(model) == ["2", "0"])
    }

    @Test("the last mark of an item stands, also where the marks before it are answered later")
    func marksAnsweredOutOfOrder() async {
        let source = ScriptedInbox(count: 1)
        let model = InboxModel(source)
        await model.run()
        _ = await source.marks.wait(for: 1)
        let gate = Journal<Void>()
        source.gate = (gate, 1)
        let item = model.items[0]
        async let first: Void = model.mark(item, as: .unread)
        _ = await source.marks.wait(for: 2)
        source.gate = nil
        await model.mark(item, as: .read)
        #expect(read(model) == [true])
        gate.add(())
        await first
        #expect(read(model) == [true])
    }

    @Test("an answer that was made before a mark does not take it back, also when the mark ends first")
    func answersBeforeMarks() async {
        let source = ScriptedInbox(count: 2)
        let model = InboxModel(source)
        await model.run()
        _ = await source.marks.wait(for: 1)
        let gate = Journal<Void>()
        source.gate = (gate, 1)
        async let refresh: Void = model.refresh()
        _ = await source.pages.wait(for: 2)
        source.gate = nil
        await model.mark(model.items[0], as: .read)
        await model.mark(model.items[1], as: .archived)
        gate.add(())
        await refresh
        #expect(titles(model) == ["1"])
        #expect(read(model) == [true])
        // The next answer knows.
        source.items = [.sample(1)]
        await model.refresh()
        #expect(read(model) == [false])
    }

    @Test("all that the list has can be marked as read, and what came since is not")
    func allRead() async {
        let source = ScriptedInbox(count: 2)
        let model = InboxModel(source)
        await model.run()
        _ = await source.marks.wait(for: 1)
        let newest = source.items[0].id
        source.items.insert(.sample(2), at: 0)
        await model.markAllRead()
        #expect(source.marks.entries.last == "read ..\(newest)")
        #expect(!model.hasUnread)
        await model.refresh()
        #expect(read(model) == [false, true, true])
    }

    @Test("a tap reads the item and goes where it leads, by the SDK or by the app's own closure")
    func taps() async {
        let source = ScriptedInbox(count: 2)
        let model = InboxModel(source)
        await model.run()
        _ = await source.marks.wait(for: 1)
        let items = model.items
        await model.open(items[0])
        #expect(source.opened.entries == [items[0].id])
        let own = Journal<String>()
        await model.open(items[1]) { own.add($0.id) }
        #expect(own.entries == [items[1].id])
        #expect(source.opened.entries.count == 1)
        #expect(read(model) == [true, true])
        await model.open(model.items[0])
        #expect(source.opened.entries.count == 2)
        #expect(source.marks.entries.count == 3)
    }
}

extension InboxUpdate {
    fileprivate static func revision(_ revision: Int64) -> InboxUpdate {
        InboxUpdate(counts: InboxCounts(unread: 0, unseen: 0, revision: revision), itemIDs: [])
    }
}
