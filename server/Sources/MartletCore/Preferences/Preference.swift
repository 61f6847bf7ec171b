public import MartletWire

extension ChannelChoice {
    /// Whether nothing is chosen: no row is kept of it.
    public var isEmpty: Bool { enabled == nil && push == nil && inbox == nil }

    /// The choice for a channel.
    public subscript(_ channel: ChannelName) -> Bool? {
        switch channel {
        case .push: push
        case .inbox: inbox
        }
    }

    /// The choice after a change.
    public func applying(_ patch: ChannelPatch) -> ChannelChoice {
        func value(_ old: Bool?, _ change: NullablePatch<Bool>) -> Bool? {
            switch change {
            case .unset: old
            case .null: nil
            case .value(let value): value
            }
        }
        return ChannelChoice(
            enabled: value(enabled, patch.enabled),
            push: value(push, patch.push),
            inbox: value(inbox, patch.inbox)
        )
    }
}

/// What a person chose, as far as one notification is concerned: over all, and for its category.
public struct PersonChoice: Sendable, Hashable {
    /// Over all categories.
    public var master: ChannelChoice
    /// For the notification's category.
    public var category: ChannelChoice

    public init(master: ChannelChoice = ChannelChoice(), category: ChannelChoice = ChannelChoice()) {
        self.master = master
        self.category = category
    }
}

/// Whether a channel is on for a person, and what says so. A pure value.
public struct PreferenceDecision: Sendable, Hashable {
    /// Whether it is on.
    public var isOn: Bool
    /// What says so.
    public var source: PreferenceSource

    package init(isOn: Bool, source: PreferenceSource) {
        self.isOn = isOn
        self.source = source
    }

    /// Decides: required, or the person's choice over all and that for the category. A choice over all is AND, because a
    /// master that a detail overrides is none. Without a category only the choice over all counts.
    public init(_ channel: ChannelName, category: Category?, choice: PersonChoice) {
        if let category, category.required.contains(channel) {
            self.init(isOn: true, source: .required)
            return
        }
        if choice.master.enabled == false || choice.master[channel] == false {
            self.init(isOn: false, source: .master)
            return
        }
        guard let category else {
            self.init(isOn: true, source: .system)
            return
        }
        // The value that switches it off says why; where both are on, the channel's own, which is the narrower.
        let whole = PreferenceDecision(choice.category.enabled, default: category.defaults.enabled)
        let own = PreferenceDecision(choice.category[channel], default: category.defaults[channel])
        self = !whole.isOn || own.isOn && own.source == .system ? whole : own
    }

    /// One value of a category: the person's, else the default, else on.
    private init(_ own: Bool?, default fallback: Bool?) {
        if let own {
            self.init(isOn: own, source: .user)
        } else if let fallback {
            self.init(isOn: fallback, source: .category)
        } else {
            self.init(isOn: true, source: .system)
        }
    }
}

/// What a person chose, whole.
public struct UserPreferences: Sendable, Hashable {
    /// The number of the last change; 0 where nothing was ever chosen.
    public var revision: Int64
    /// Over all categories.
    public var master: ChannelChoice
    /// By category; those without a choice are left out.
    public var categories: [RowID<Category>: ChannelChoice]
    /// The language and region of the person's newest device.
    public var locale: String?
    /// The IANA time zone of the person's newest device.
    public var timeZone: String?

    package init(
        revision: Int64 = 0,
        master: ChannelChoice = ChannelChoice(),
        categories: [RowID<Category>: ChannelChoice] = [:],
        locale: String? = nil,
        timeZone: String? = nil
    ) {
        self.revision = revision
        self.master = master
        self.categories = categories
        self.locale = locale
        self.timeZone = timeZone
    }
}

/// What changes of a person's preferences.
public struct PreferencesDraft: Sendable, Hashable {
    /// The customer's own id for the person, who is made where there is none.
    public var user: String
    /// Over all categories.
    public var master: ChannelPatch?
    /// By category.
    public var categories: [RowID<Category>: ChannelPatch]
    /// The revision that the change is made on; `nil` takes whatever there is.
    public var revision: Int64?

    package init(
        user: String,
        master: ChannelPatch? = nil,
        categories: [RowID<Category>: ChannelPatch] = [:],
        revision: Int64? = nil
    ) {
        self.user = user
        self.master = master
        self.categories = categories
        self.revision = revision
    }
}
