import MartletWire
import Testing

@testable import MartletCore

@Suite("Whether a channel is on for a person")
struct PreferenceTests {
    static let values: [Bool?] = [nil, true, false]

    static func category(
        defaults: ChannelChoice = ChannelChoice(),
        required: Set<ChannelName> = []
    ) -> MartletCore.Category {
        MartletCore.Category(
            row: RowID(3),
            app: RowID(1),
            key: "follow",
            defaults: defaults,
            required: required,
            createdAt: Timestamp(milliseconds: 0)
        )
    }

    static func choice(_ channel: ChannelName, _ enabled: Bool?, _ own: Bool?) -> ChannelChoice {
        switch channel {
        case .push: ChannelChoice(enabled: enabled, push: own)
        case .inbox: ChannelChoice(enabled: enabled, inbox: own)
        }
    }

    /// All pairs of values: those of `enabled`, and those of a channel.
    static let pairs = values.flatMap { enabled in values.map { (enabled, $0) } }

    /// `on(ch) = required(ch) or (master.enabled and master.ch and cat.enabled and cat.ch)`, where an absent category value
    /// takes the category's default, then on, and an absent master value is on.
    static func formula(
        isRequired: Bool,
        master: (Bool?, Bool?),
        own: (Bool?, Bool?),
        defaults: (Bool?, Bool?)
    ) -> Bool {
        let masterIsOn = (master.0 ?? true) && (master.1 ?? true)
        let categoryIsOn = (own.0 ?? defaults.0 ?? true) && (own.1 ?? defaults.1 ?? true)
        return isRequired || (masterIsOn && categoryIsOn)
    }

    /// Who says so, by what is off, or by the narrowest value that is there.
    static func source(
        isRequired: Bool,
        master: (Bool?, Bool?),
        own: (Bool?, Bool?),
        defaults: (Bool?, Bool?)
    ) -> PreferenceSource {
        if isRequired { return .required }
        if master.0 == false || master.1 == false { return .master }
        switch (own.0, defaults.0) {
        case (false, _): return .user
        case (nil, false): return .category
        default: break
        }
        switch (own.1, defaults.1) {
        case (.some, _): return .user
        case (nil, .some): return .category
        case (nil, nil): break
        }
        if own.0 != nil { return .user }
        return defaults.0 == nil ? .system : .category
    }

    @Test(
        "is as the formula says in each combination, and what says so",
        arguments: ChannelName.allCases,
        [true, false]
    )
    func combinations(_ channel: ChannelName, _ isRequired: Bool) {
        var count = 0
        for master in Self.pairs {
            for own in Self.pairs {
                for defaults in Self.pairs {
                    let category = Self.category(
                        defaults: Self.choice(channel, defaults.0, defaults.1),
                        required: isRequired ? [channel] : []
                    )
                    let choice = PersonChoice(
                        master: Self.choice(channel, master.0, master.1),
                        category: Self.choice(channel, own.0, own.1)
                    )
                    let decision = PreferenceDecision(channel, category: category, choice: choice)
                    let isOn = Self.formula(isRequired: isRequired, master: master, own: own, defaults: defaults)
                    let source = Self.source(isRequired: isRequired, master: master, own: own, defaults: defaults)
                    #expect(
                        decision == PreferenceDecision(isOn: isOn, source: source),
                        "master \(master), own \(own), defaults \(defaults)"
                    )
                    count += 1
                }
            }
        }
        #expect(count == 729)
    }

    @Test("is the master's to say without a category", arguments: ChannelName.allCases)
    func withoutCategory(_ channel: ChannelName) {
        for master in Self.pairs {
            let choice = PersonChoice(
                master: Self.choice(channel, master.0, master.1),
                category: ChannelChoice(enabled: false)
            )
            let isOn = master.0 != false && master.1 != false
            let wanted = PreferenceDecision(isOn: isOn, source: isOn ? .system : .master)
            #expect(PreferenceDecision(channel, category: nil, choice: choice) == wanted)
        }
    }

    @Test("one channel's values say nothing of the other")
    func otherChannel() {
        let off = ChannelChoice(inbox: false)
        let category = Self.category(defaults: off, required: [.inbox])
        let choice = PersonChoice(master: off, category: off)
        #expect(PreferenceDecision(.push, category: category, choice: choice).isOn)
        #expect(PreferenceDecision(.inbox, category: category, choice: choice).source == .required)
    }

    static let patches: [(ChannelPatch, ChannelChoice)] = [
        (ChannelPatch(), ChannelChoice(enabled: true, push: false)),
        (ChannelPatch(push: .null), ChannelChoice(enabled: true)),
        (ChannelPatch(enabled: .null, push: .null), ChannelChoice()),
        (ChannelPatch(push: .value(true)), ChannelChoice(enabled: true, push: true)),
        (ChannelPatch(inbox: .value(false)), ChannelChoice(enabled: true, push: false, inbox: false)),
    ]

    @Test("a patch changes what it names: null leaves it open, and what is not named stays", arguments: patches)
    func patch(_ patch: ChannelPatch, _ after: ChannelChoice) {
        #expect(ChannelChoice(enabled: true, push: false).applying(patch) == after)
        #expect(after.isEmpty == (after == ChannelChoice()))
    }

    @Test("a category's key has 1 to 64 small letters, digits and marks")
    func keys() throws {
        for key in ["a", "new-followers_2.x", String(repeating: "z", count: 64)] {
            try MartletCore.Category.validate(key: key)
        }
        for key in ["", "A", "a b", "é", "a/b", String(repeating: "z", count: 65)] {
            let failure = #expect(throws: Failure.self) { try MartletCore.Category.validate(key: key) }
            #expect(failure?.detail.field == "key")
        }
    }

    @Test("a category's names are each under a locale, and something to read")
    func names() throws {
        try MartletCore.Category.validate(names: ["en": "New followers", "pt-BR": "Seguidores", "zh_Hant": "追蹤者"])
        let many = Dictionary(uniqueKeysWithValues: (0...100).map { ("l\($0)", "x") })
        for (names, field) in [
            (["": "x"], "names"), (["a b": "x"], "names"), (["en": ""], "names.en"), (["en": "a\nb"], "names.en"),
            (["en": String(repeating: "x", count: 201)], "names.en"), (many, "names"),
        ] {
            let failure = #expect(throws: Failure.self) { try MartletCore.Category.validate(names: names) }
            #expect(failure?.detail.field == field)
        }
    }
}
