import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKUI

/// Preferences that answer as a test says.
@MainActor
private final class ScriptedPreferences: PreferencesSource {
    var user: String? = "a"
    /// Ended, unless a test sets another: then a model's `run` ends with its first answer.
    var userChanges = AsyncStream<Void> { $0.finish() }
    var cached: NotificationPreferences?
    /// What the server says now.
    var response: PreferencesResponse
    var trouble: PushNotificationError?
    /// What an answer that is made already waits for.
    var gate: Journal<Void>?
    var permissionNow: NotificationPermission? = .authorized
    /// What becomes of changes, one after the other: what the server says then, and what the answer waits for.
    var answers: [(Result<PreferencesResponse, PushNotificationError>, Journal<Void>?)] = []
    let loads = Journal<Void>()
    let changes = Journal<PreferencesChange>()
    let settings = Journal<Void>()

    init(_ categories: CategoryPreference..., master: ChannelChoice = ChannelChoice()) {
        response = PreferencesResponse(revision: 1, master: master, categories: categories)
    }

    func load() async throws(PushNotificationError) -> NotificationPreferences {
        let made = NotificationPreferences(response)
        let trouble = trouble
        let gate = gate
        loads.add(())
        if let gate { _ = await gate.wait(for: 1) }
        if let trouble { throw trouble }
        return made
    }

    func set(_ change: PreferencesChange) async throws(PushNotificationError) -> NotificationPreferences {
        let answer = answers.isEmpty ? nil : answers.removeFirst()
        changes.add(change)
        if let gate = answer?.1 { _ = await gate.wait(for: 1) }
        return NotificationPreferences(try answer?.0.get() ?? response)
    }

    func permission() async -> NotificationPermission? { permissionNow }
    func openSettings() async { settings.add(()) }

    /// What the server says after a change of one category.
    func response(_ revision: Int64, _ category: CategoryPreference) -> PreferencesResponse {
        PreferencesResponse(revision: revision, master: response.master, categories: [category])
    }
}

extension CategoryPreference {
    fileprivate static func named(
        _ key: String = "comment",
        choice: ChannelChoice = ChannelChoice(),
        push: (Bool, PreferenceSource) = (true, .system),
        inbox: (Bool, PreferenceSource) = (true, .system)
    ) -> CategoryPreference {
        CategoryPreference(
            key: key,
            names: ["en": key],
            choice: choice,
            push: ChannelState(isOn: push.0, source: push.1),
            inbox: ChannelState(isOn: inbox.0, source: inbox.1)
        )
    }
}

@MainActor
@Suite(.timeLimit(.minutes(1))) struct PreferencesModelTests {
    private typealias Switch = PreferencesModel.Switch
    private let push = PreferencesModel.SwitchID("comment", .push)
    private let inbox = PreferencesModel.SwitchID("comment", .inbox)
    private let allPush = PreferencesModel.SwitchID(nil, .push)

    private func loaded(_ source: ScriptedPreferences) async -> PreferencesModel {
        let model = PreferencesModel(source)
        await model.run()
        return model
    }

    @Test("what is kept is shown without a connection, with the reason; where nothing is kept, the reason alone")
    func offline() async {
        let source = ScriptedPreferences(.named())
        source.trouble = .offline
        #expect(PreferencesModel(source).content == .loading)
        let empty = await loaded(source)
        #expect(empty.content == .failed(.offline))
        source.cached = NotificationPreferences(source.response)
        let model = await loaded(source)
        #expect(model.content == .switches(trouble: .offline))
        #expect(model[push] == Switch(isOn: true))
        source.trouble = nil
        await model.refresh()
        #expect(model.content == .switches(trouble: nil))
        source.trouble = .loginRequired
        await model.refresh()
        #expect(model.content == .failed(.loginRequired))
        #expect(model.categories.isEmpty)
    }

    /// What the server says of a person who wants no pushes of the category.
    private var off: CategoryPreference { .named(choice: ChannelChoice(push: false), push: (false, .user)) }

    @Test("the switches are the present user's, whatever the revisions of two users are")
    func anotherUser() async {
        let source = ScriptedPreferences(.named())
        source.response = source.response(9, .named())
        let (userChanges, sender) = AsyncStream.makeStream(of: Void.self)
        source.userChanges = userChanges
        let model = PreferencesModel(source)
        let changes = Changes(of: model)
        let run = Task { await model.run() }
        await changes.wait { model.content == .switches(trouble: nil) }
        source.user = "b"
        source.response = source.response(1, off)
        sender.yield()
        await changes.wait { model.content == .switches(trouble: nil) && !model[push].isOn }
        source.user = "c"
        source.trouble = .offline
        sender.yield()
        await changes.wait { model.content == .failed(.offline) }
        #expect(model.categories.isEmpty)
        run.cancel()
        await run.value
    }

    @Test("switches that are shown or read again after another login are the new user's", arguments: [true, false])
    func anotherUserWithoutAHint(_ isRun: Bool) async {
        let source = ScriptedPreferences(.named())
        source.response = source.response(9, .named())
        let model = await loaded(source)
        source.user = "b"
        source.response = source.response(1, off)
        if isRun { await model.run() } else { await model.refresh() }
        #expect(model[push] == Switch(isOn: false))
        source.user = "c"
        source.trouble = .offline
        if isRun { await model.run() } else { await model.refresh() }
        #expect(model.content == .failed(.offline))
    }

    @Test(
        "an answer to somebody who is not the user any more changes nothing, and the new user's choices are read",
        arguments: [nil, PushNotificationError.loginRequired]
    )
    func answerToAnotherUser(_ trouble: PushNotificationError?) async {
        let source = ScriptedPreferences(.named())
        let model = await loaded(source)
        let gate = Journal<Void>()
        let answer: Result<PreferencesResponse, PushNotificationError> =
            if let trouble { .failure(trouble) } else { .success(source.response(9, .named())) }
        source.gate = gate
        source.trouble = trouble
        source.answers = [(answer, gate)]
        async let move: Void = model.set(false, push)
        _ = await source.changes.wait(for: 1)
        async let old: Void = model.refresh()
        _ = await source.loads.wait(for: 2)
        source.gate = nil
        source.trouble = nil
        source.user = "b"
        source.response = source.response(1, off)
        let changes = Changes(of: model)
        gate.add(())
        await move
        await old
        await changes.wait { model.content == .switches(trouble: nil) }
        #expect(model[push] == Switch(isOn: false))
        #expect(model.refusal == nil)
        #expect(source.loads.entries.count == 3)
    }

    @Test("no switch is moved for whoever logged in since")
    func movesOfAnotherUser() async {
        let source = ScriptedPreferences(.named())
        let model = await loaded(source)
        source.user = "b"
        await model.set(false, push)
        #expect(source.changes.entries.isEmpty)
        #expect(await source.loads.wait(for: 2).count == 2)
    }

    @Test("a switch moves at once, and the server is told of it alone")
    func moves() async {
        let source = ScriptedPreferences(.named())
        let model = await loaded(source)
        let gate = Journal<Void>()
        let after = CategoryPreference.named(choice: ChannelChoice(push: false), push: (false, .user))
        source.answers = [(.success(source.response(2, after)), gate)]
        async let move: Void = model.set(false, push)
        #expect(await source.changes.wait(for: 1) == [.category("comment", push: false)])
        #expect(model[push] == Switch(isOn: false))
        #expect(model[inbox] == Switch(isOn: true))
        gate.add(())
        await move
        #expect(model[push] == Switch(isOn: false))
        #expect(model.refusal == nil)
    }

    @Test("a switch that the server does not take moves back, and the person is told why")
    func movesBack() async {
        let source = ScriptedPreferences(.named())
        let model = await loaded(source)
        source.answers = [(.failure(.offline), nil), (.failure(.offline), nil)]
        await model.set(false, push)
        #expect(model[push] == Switch(isOn: true))
        #expect(model.refusal == .offline)
        model.dismissRefusal()
        #expect(model.refusal == nil)
        await model.set(false, allPush)
        #expect(model[allPush] == Switch(isOn: true))
        #expect(model[push] == Switch(isOn: true))
        #expect(model.refusal == .offline)
    }

    @Test("of two moves of one switch the later counts, whatever becomes of the earlier and whenever")
    func movesTwice() async {
        let source = ScriptedPreferences(.named())
        let model = await loaded(source)
        let gate = Journal<Void>()
        source.answers = [(.failure(.offline), gate), (.success(source.response(2, .named())), nil)]
        async let first: Void = model.set(false, push)
        _ = await source.changes.wait(for: 1)
        await model.set(true, push)
        gate.add(())
        await first
        #expect(model[push] == Switch(isOn: true))
        #expect(model.refusal == nil)
    }

    @Test("an answer that was overtaken by a newer one does not move a switch")
    func overtaken() async {
        let off = CategoryPreference.named(choice: ChannelChoice(push: false), push: (false, .user))
        let source = ScriptedPreferences(.named())
        let model = await loaded(source)
        let gate = Journal<Void>()
        let newest = CategoryPreference.named(
            choice: ChannelChoice(push: false, inbox: false),
            push: (false, .user),
            inbox: (false, .user)
        )
        source.answers = [(.success(source.response(2, off)), gate), (.success(source.response(3, newest)), nil)]
        async let first: Void = model.set(false, push)
        _ = await source.changes.wait(for: 1)
        await model.set(false, inbox)
        gate.add(())
        await first
        #expect(model[push] == Switch(isOn: false))
        #expect(model[inbox] == Switch(isOn: false))
    }

    @Test("what is required cannot be moved, and is on also while everything is off")
    func required() async {
        let category = CategoryPreference.named(push: (true, .required), inbox: (false, .master))
        let source = ScriptedPreferences(category, master: ChannelChoice(enabled: false))
        let model = await loaded(source)
        #expect(model[push] == Switch(isOn: true, lock: .required))
        #expect(model[inbox] == Switch(isOn: false, lock: .offForAll))
        #expect(model[allPush] == Switch(isOn: false))
        await model.set(false, push)
        await model.set(true, inbox)
        #expect(source.changes.entries.isEmpty)
    }

    @Test("a channel that is switched off for all locks its switches at once, and no other channel's")
    func offForAll() async {
        let source = ScriptedPreferences(.named())
        let model = await loaded(source)
        let gate = Journal<Void>()
        var after = source.response(2, .named(push: (false, .master)))
        after.master.push = false
        source.answers = [(.success(after), gate)]
        async let move: Void = model.set(false, allPush)
        #expect(await source.changes.wait(for: 1) == [.master(push: false)])
        #expect(model[push] == Switch(isOn: false, lock: .offForAll))
        gate.add(())
        await move
        #expect(model[push] == Switch(isOn: false, lock: .offForAll))
        #expect(model[inbox] == Switch(isOn: true))
    }

    /// What the server says of the category, which channel is switched on, and what is asked for.
    private static var wholes: [(CategoryPreference, PreferencesModel.Channel, PreferencesChange)] {
        let off = (false, PreferenceSource.category)
        let chosen = (false, PreferenceSource.user)
        return [
            // Off by default: one channel on, the other as it was.
            (.named(push: off, inbox: off), .push, .category("comment", enabled: true, push: true, inbox: false)),
            (.named(push: off, inbox: off), .inbox, .category("comment", enabled: true, push: false, inbox: true)),
            // Off as a whole, by the person's choice.
            (
                .named(choice: ChannelChoice(enabled: false), push: chosen, inbox: chosen), .push,
                .category("comment", enabled: true, push: true, inbox: false)
            ),
            // One channel shows that the whole is on.
            (.named(push: chosen), .push, .category("comment", push: true)),
            // The person's choice says so.
            (
                .named(choice: ChannelChoice(enabled: true), push: chosen, inbox: chosen), .push,
                .category("comment", push: true)
            ),
            // What is required says nothing of the whole.
            (
                .named(push: (true, .required), inbox: off), .inbox,
                .category("comment", enabled: true, inbox: true)
            ),
            // What is off for all keeps the choice that is behind it.
            (.named(push: off, inbox: (false, .master)), .push, .category("comment", enabled: true, push: true)),
            (
                .named(choice: ChannelChoice(enabled: false), push: chosen, inbox: (false, .master)), .push,
                .category("comment", enabled: true, push: true, inbox: false)
            ),
        ]
    }

    @Test("one channel of a category that is off as a whole is switched on without the other", arguments: 0..<8)
    func whole(_ index: Int) async {
        let (category, channel, change) = Self.wholes[index]
        let isMasked = category.inbox.source == .master
        let source = ScriptedPreferences(category, master: ChannelChoice(inbox: isMasked ? false : nil))
        await loaded(source).set(true, .init("comment", channel))
        #expect(source.changes.entries == [change])
    }

    @Test("one channel of everything that is off is switched on without the other")
    func wholeOfAll() async {
        let source = ScriptedPreferences(.named(), master: ChannelChoice(enabled: false))
        await loaded(source).set(true, allPush)
        #expect(source.changes.entries == [.master(enabled: true, push: true, inbox: false)])
    }

    @Test("what the Settings app refuses is noticed, also when the person comes back from there")
    func denied() async {
        let source = ScriptedPreferences(.named())
        source.permissionNow = .denied
        let model = await loaded(source)
        #expect(model.isDenied)
        await model.openSettings()
        #expect(source.settings.entries.count == 1)
        source.permissionNow = .authorized
        await model.checkPermission()
        #expect(!model.isDenied)
    }
}
