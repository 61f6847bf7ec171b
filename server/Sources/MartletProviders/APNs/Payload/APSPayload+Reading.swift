import MartletCore
import MartletWire

extension APSPayload {
    /// Reads and checks the types of an `aps` object.
    ///
    /// - Parameter path: where it stands, for messages, such as `overrides.apns.aps`.
    /// - Parameter isLiveActivity: Live Activities rank with any number, and their alerts name strings in place.
    /// - Throws: `Failure` naming the member whose value Apple would not understand. Unknown members are kept.
    init(_ members: [String: JSONValue], path: String, isLiveActivity: Bool = false) throws(Failure) {
        var reader = MemberReader(members, path: path)
        alert = try APSAlert(reader.value("alert"), field: reader.field("alert"), isLiveActivity: isLiveActivity)
        badge = try reader.count("badge")
        sound = try APSSound(reader.value("sound"), field: reader.field("sound"))
        threadID = try reader.string("thread-id")
        category = try reader.string("category")
        contentAvailable = try reader.one("content-available")
        mutableContent = try reader.one("mutable-content")
        targetContentID = try reader.string("target-content-id")
        interruptionLevel = try reader.word("interruption-level")
        let anyNumber = -Double.greatestFiniteMagnitude ... .greatestFiniteMagnitude
        let score = isLiveActivity ? (anyNumber, "a number") : (0...1, "a number from 0 to 1")
        relevanceScore = try reader.number("relevance-score", in: score.0, score.1)
        filterCriteria = try reader.string("filter-criteria")
        staleDate = try reader.count("stale-date", "a time in whole seconds since 1970")
        contentState = try reader.object("content-state")
        timestamp = try reader.count("timestamp", "a time in whole seconds since 1970")
        event = try reader.word("event")
        dismissalDate = try reader.count("dismissal-date", "a time in whole seconds since 1970")
        attributesType = try reader.string("attributes-type")
        attributes = try reader.object("attributes")
        inputPushToken = try reader.one("input-push-token")
        inputPushChannel = try reader.string("input-push-channel")
        contentChanged = try reader.bool("content-changed")
        other = reader.rest
    }
}

extension APSAlert {
    fileprivate init?(_ json: JSONValue?, field: String, isLiveActivity: Bool) throws(Failure) {
        guard let json else { return nil }
        if let text = json.stringValue {
            self.init(body: .plain(text))
            return
        }
        guard let members = json.objectValue else { throw .invalid(field, "alert is a string or an object.") }
        var reader = MemberReader(members, path: field)
        self.init()
        title = try Text(&reader, "title", isLiveActivity: isLiveActivity)
        subtitle = try Text(&reader, "subtitle", isLiveActivity: isLiveActivity)
        body = try Text(&reader, "body", isLiveActivity: isLiveActivity)
        launchImage = try reader.string("launch-image")
        titleLocKey = try reader.string("title-loc-key")
        titleLocArgs = try reader.strings("title-loc-args")
        subtitleLocKey = try reader.string("subtitle-loc-key")
        subtitleLocArgs = try reader.strings("subtitle-loc-args")
        locKey = try reader.string("loc-key")
        locArgs = try reader.strings("loc-args")
        other = reader.rest
    }
}

extension APSAlert.Text {
    fileprivate init?(_ reader: inout MemberReader, _ key: String, isLiveActivity: Bool) throws(Failure) {
        guard let json = reader.value(key) else { return nil }
        if let text = json.stringValue {
            self = .plain(text)
            return
        }
        guard isLiveActivity, let members = json.objectValue else {
            throw .invalid(reader.field(key), "\(key) is a string.")
        }
        var inner = MemberReader(members, path: reader.field(key))
        guard let name = try inner.string("loc-key") else {
            throw .invalid(inner.field("loc-key"), "A localized text has a loc-key.")
        }
        self = .localized(key: name, arguments: try inner.strings("loc-args") ?? [])
    }
}

extension APSSound {
    fileprivate init?(_ json: JSONValue?, field: String) throws(Failure) {
        guard let json else { return nil }
        if let name = json.stringValue {
            self = .named(name)
            return
        }
        guard let members = json.objectValue else {
            throw .invalid(field, "sound is a string, or an object with critical, name and volume.")
        }
        var reader = MemberReader(members, path: field)
        let isCritical = try reader.one("critical")
        guard let name = try reader.string("name") else {
            throw .invalid(reader.field("name"), "A sound given as an object has a name.", hint: "Use \"default\".")
        }
        let volume = try reader.number("volume", in: 0...1, "a number from 0 to 1")
        if let unknown = reader.rest.keys.min() {
            throw .invalid(reader.field(unknown), "A sound has critical, name and volume; \(unknown) is none of them.")
        }
        guard isCritical else {
            throw .invalid(
                reader.field("critical"),
                "A sound given as an object is a critical one: \"critical\": 1.",
                hint: "Give the name of any other sound as a string."
            )
        }
        self = .critical(name: name, volume: volume)
    }
}
