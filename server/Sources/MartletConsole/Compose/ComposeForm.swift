import MartletCore
import MartletWire

/// What somebody writes, as the form's fields have it. A pure value.
struct ComposeForm: Sendable, Hashable {
    /// How the audience is chosen.
    enum AudienceKind: String, CaseIterable {
        case all, users, topic, devices
    }

    /// What the number on the app's icon is.
    enum BadgeKind: String, CaseIterable {
        case none, number, unread
    }

    /// The fields that are texts.
    enum Field: String, CaseIterable {
        case app, audience, users, topic, attributes, devices, platform, title, subtitle, body, image, link, category
        case badge, `class`, when, at, zone, expiry, data, overrides
        case badgeKind = "badge_kind"
        case testKind = "test_kind"
        case testTo = "test_to"
        /// What was wrong with the lines of a file whose people are in the form.
        case badLines = "bad_lines"
    }

    /// The boxes that are checked or not.
    enum Box: String, CaseIterable {
        case inbox, sound
        case skipsBadLines = "skip_bad"
    }

    private var texts: [Field: String] = [:]
    var boxes: Set<Box> = []

    /// An empty one, with what is usual.
    init() {
        boxes = [.inbox, .sound]
    }

    /// From the address of a page, or from a form, which says by a field of its own that boxes may be unchecked.
    init(_ values: FormValues) {
        for field in Field.allCases {
            let text = Self.keepsSpaces.contains(field) ? values.raw(field.rawValue) : values[field.rawValue] ?? ""
            texts[field] = text.replacing("\r\n", with: "\n")
        }
        boxes = values.isOn("form") ? Set(Box.allCases.filter { values.isOn($0.rawValue) }) : [.inbox, .sound]
    }

    private static let keepsSpaces: Set<Field> = [.users, .body]

    /// The text of a field; empty where there is none.
    subscript(_ field: Field) -> String {
        get { texts[field] ?? "" }
        set { texts[field] = newValue }
    }

    /// The text of a field, where there is one.
    func text(_ field: Field) -> String? {
        let text = self[field]
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    var kind: AudienceKind { AudienceKind(rawValue: self[.audience]) ?? .all }
    var badgeKind: BadgeKind { BadgeKind(rawValue: self[.badgeKind]) ?? .none }
    var isLater: Bool { self[.when] == "later" }

    /// Whether there is something to look at.
    var isBlank: Bool { [Field.title, .subtitle, .body].allSatisfy { text($0) == nil } }

    /// All of it as a form sends it, in one order.
    var encoded: String {
        let texts = Field.allCases.map { ($0.rawValue, self[$0]) }.filter { !$0.1.isEmpty }
        let all = texts + Box.allCases.filter(boxes.contains).map { ($0.rawValue, "on") } + [("form", "on")]
        return all.map { "\($0)=\(Link.escaped($1))" }.joined(separator: "&")
    }
}

extension ComposeForm {
    /// A form that says what a notification said, to everybody.
    init(like content: Content, app: App, category: Category?) {
        self.init()
        self[.app] = app.id.description
        self[.title] = content.title ?? ""
        self[.subtitle] = content.subtitle ?? ""
        self[.body] = content.body ?? ""
        self[.image] = content.image ?? ""
        self[.link] = content.deepLink ?? ""
        self[.category] = category?.key ?? ""
        if let badge = content.badge {
            self[.badgeKind] = BadgeKind.number.rawValue
            self[.badge] = String(badge)
        }
        if content.sound == nil { boxes.remove(.sound) }
        if !content.data.isEmpty { self[.data] = Self.json(.object(content.data)) }
        if !content.overrides.isEmpty {
            let members = content.overrides.map { ($0.key.rawValue, $0.value) }
            self[.overrides] = Self.json(.object(Dictionary(members) { $1 }))
        }
    }

    private static func json(_ value: JSONValue) -> String {
        (try? value.json()).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
