package import PushNotificationSDKCore

/// The switches of the user's preferences: each moves at once, and back where the server does not take it.
@MainActor
package final class PreferencesModel: UserModel {
    /// What fills the screen.
    package enum Content: Equatable {
        /// Nothing is known yet.
        case loading
        /// Nothing can be shown.
        case failed(PushNotificationError)
        /// The switches, and why they may be old.
        case switches(trouble: PushNotificationError?)
    }

    /// Where notifications go.
    package enum Channel: Hashable, CaseIterable {
        case push, inbox

        fileprivate var other: Channel { self == .push ? .inbox : .push }
    }

    /// Which switch.
    package struct SwitchID: Hashable {
        /// The category's key; `nil` is the switch over all categories.
        package var category: String?
        package var channel: Channel

        package init(_ category: String?, _ channel: Channel) {
            self.category = category
            self.channel = channel
        }
    }

    /// Why a switch cannot be moved.
    package enum Lock: Equatable {
        /// The category cannot be switched off on this channel.
        case required
        /// The channel is off for all categories.
        case offForAll
    }

    /// A switch as it is shown.
    package struct Switch: Equatable {
        package var isOn: Bool
        package var lock: Lock?
    }

    /// A change that the server has yet to confirm.
    private struct Pending {
        var number: Int
        var isOn: Bool
    }

    package var onChange: () -> Void = {}
    /// The categories, in the server's order.
    package var categories: [NotificationPreferences.Category] { preferences?.categories ?? [] }
    /// Whether the person refused notifications in the Settings app.
    package private(set) var isDenied = false
    /// Why the last change was taken back, until the person has seen it.
    package private(set) var refusal: PushNotificationError?

    var user: String?
    private(set) var trouble: PushNotificationError?

    private let source: any PreferencesSource
    private var preferences: NotificationPreferences?
    private var pending: [SwitchID: Pending] = [:]
    private var last = 0

    package init(_ source: any PreferencesSource) { self.source = source }

    var users: any UserSource { source }

    package var content: Content {
        if preferences != nil { return .switches(trouble: trouble) }
        return trouble.map(Content.failed) ?? .loading
    }

    /// Shows what is kept, and reads what holds now, for each user, until the task is cancelled.
    package func run() async {
        let userChanges = source.userChanges
        if !adoptUser(), preferences == nil { showKept() }
        async let followed: Void = follow(userChanges)
        await checkPermission()
        await load()
        await followed
    }

    /// Reads the preferences. It ends what it began where whoever waits for it is cancelled, as SwiftUI does when it draws
    /// a list anew.
    package func refresh() async {
        await Task { await load() }.value
    }

    /// Asks the system what the person allows: also when they come back from the Settings app.
    package func checkPermission() async {
        isDenied = await source.permission() == .denied
        onChange()
    }

    /// Opens the app's page in the Settings app.
    package func openSettings() async { await source.openSettings() }

    /// The person has seen why a change was taken back.
    package func dismissRefusal() {
        refusal = nil
        onChange()
    }

    func reset() {
        pending = [:]
        (trouble, refusal) = (nil, nil)
        showKept()
    }

    private func showKept() {
        preferences = source.cached
        onChange()
    }

    func load() async {
        adoptUser()
        let owner = user
        do throws(PushNotificationError) {
            let new = try await source.load()
            guard isStill(owner) else { return }
            take(new)
            trouble = nil
        } catch {
            guard isStill(owner), !Task.isCancelled else { return }
            trouble = error
            // Somebody else's choices are nobody's to see.
            if error == .loginRequired { preferences = nil }
        }
        onChange()
    }

    /// Takes an answer about the user: revisions of two users say nothing of each other.
    private func take(_ new: NotificationPreferences) {
        // An answer that was overtaken on its way says what is not so any more.
        if preferences?.revision ?? .min <= new.revision { preferences = new }
    }
}

extension PreferencesModel {
    /// A switch as it is shown: with the changes that the server has yet to confirm.
    package subscript(_ id: SwitchID) -> Switch {
        guard let preferences else { return Switch(isOn: false) }
        guard let key = id.category else {
            return Switch(isOn: pending[id]?.isOn ?? preferences.master.allows(id.channel))
        }
        guard let said = preferences[key]?[id.channel] else { return Switch(isOn: false) }
        if said.source == .required { return Switch(isOn: said.isOn, lock: .required) }
        // What the category's own choice is, the server says when the channel is on again for all.
        if said.source == .master || !self[SwitchID(nil, id.channel)].isOn {
            return Switch(isOn: false, lock: .offForAll)
        }
        return Switch(isOn: pending[id]?.isOn ?? said.isOn)
    }

    /// The person moved a switch.
    package func set(_ isOn: Bool, _ id: SwitchID) async {
        guard isStill(user), self[id].lock == nil, let change = change(to: isOn, id) else { return }
        last += 1
        let (number, owner) = (last, user)
        pending[id] = Pending(number: number, isOn: isOn)
        onChange()
        var failure: PushNotificationError?
        do throws(PushNotificationError) {
            let new = try await source.set(change)
            if isStill(owner) { take(new) }
        } catch {
            // It may be the end of the login that made it.
            if isStill(owner) { failure = error }
        }
        // The person may have moved it again meanwhile: then that counts.
        if pending[id]?.number == number {
            pending[id] = nil
            if let failure { refusal = failure }
        }
        onChange()
    }

    /// What is asked of the server. Where a category is off as a whole, or all of them are, one channel is switched on by
    /// switching on the whole, and the other channel stays as it is shown.
    private func change(to isOn: Bool, _ id: SwitchID) -> PreferencesChange? {
        guard let preferences else { return nil }
        let isWhole: Bool
        var other = PreferenceSetting.unchanged
        let beside = self[SwitchID(id.category, id.channel.other)]
        if let key = id.category {
            guard let category = preferences[key] else { return nil }
            // Of a category's default the server says no more than what comes of it.
            let showsIt = Channel.allCases.contains { category[$0].isOn && category[$0].source != .required }
            isWhole = isOn && category.choice.enabled != true && !showsIt
            if isWhole, beside.lock == nil { other = PreferenceSetting(beside.isOn) }
            if isWhole, beside.lock == .offForAll, category.choice.enabled == false { other = .off }
        } else {
            isWhole = isOn && preferences.master.enabled == false
            if isWhole { other = PreferenceSetting(beside.isOn) }
        }
        let (push, inbox) = id.channel == .push ? (PreferenceSetting(isOn), other) : (other, PreferenceSetting(isOn))
        let enabled = isWhole ? PreferenceSetting.on : .unchanged
        guard let key = id.category else { return .master(enabled: enabled, push: push, inbox: inbox) }
        return .category(key, enabled: enabled, push: push, inbox: inbox)
    }
}

extension NotificationPreferences.Category {
    fileprivate subscript(_ channel: PreferencesModel.Channel) -> NotificationPreferences.Channel {
        channel == .push ? push : inbox
    }
}

extension NotificationPreferences.Choice {
    /// Whether the choice over all categories lets a channel be on.
    fileprivate func allows(_ channel: PreferencesModel.Channel) -> Bool {
        enabled != false && (channel == .push ? push : inbox) != false
    }
}
