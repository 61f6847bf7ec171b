import Foundation
import MartletCore
import MartletWire

/// A category as its form has it, right or wrong. A pure value.
struct CategoryForm: Sendable {
    /// A name and its locale, as they were typed.
    struct Name: Sendable, Hashable {
        var locale: String
        var text: String
    }

    private(set) var names: [Name] = []
    /// `on`, `off`, or empty for what is left open.
    private var defaults: [String: String] = [:]
    private var required: Set<String> = []
    private var bypassesQuietHours = false
    private var isExemptFromCaps = false
    private var position = ""

    private static let parts = ["enabled", "push", "inbox"]
    /// How many empty lines for more names a form has.
    private static let spareNames = 2
    /// The places in a settings screen, as the REST interface has them.
    private static let positions = 0...1_000_000

    /// What was sent.
    init(_ form: FormValues) {
        let texts = form.all("name")
        names = form.all("locale").enumerated().map { index, locale in
            Name(locale: Self.trimmed(locale), text: index < texts.count ? Self.trimmed(texts[index]) : "")
        }
        names.removeAll { $0.locale.isEmpty && $0.text.isEmpty }
        for part in Self.parts { defaults[part] = form["default_\(part)"] ?? "" }
        required = Set(form.all("required"))
        bypassesQuietHours = form.isOn("bypass_quiet_hours")
        isExemptFromCaps = form.isOn("exempt_from_caps")
        position = form["position"] ?? ""
    }

    /// What is there.
    init(_ category: Category) {
        names = category.names.sorted { $0.key < $1.key }.map { Name(locale: $0.key, text: $0.value) }
        let values = [category.defaults.enabled, category.defaults.push, category.defaults.inbox]
        for (part, value) in zip(Self.parts, values) { defaults[part] = value.map { $0 ? "on" : "off" } ?? "" }
        required = Set(category.required.map(\.rawValue))
        bypassesQuietHours = category.bypassesQuietHours
        isExemptFromCaps = category.isExemptFromCaps
        position = String(category.position)
    }

    private static func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

    // MARK: What it says

    /// A new category.
    ///
    /// - Throws: `Failure` naming the field.
    func draft(key: String, texts: Texts) throws(Failure) -> CategoryRequest {
        var request = CategoryRequest(key: key, names: try namesByLocale(texts))
        request.default = ChannelChoice(enabled: value("enabled"), push: value("push"), inbox: value("inbox"))
        request.required = required.compactMap(ChannelName.init(rawValue:))
        request.bypassQuietHours = bypassesQuietHours
        request.exemptFromCaps = isExemptFromCaps
        request.position = try place(texts)
        return request
    }

    /// A change of all that the form has.
    ///
    /// - Throws: `Failure` naming the field.
    func change(texts: Texts) throws(Failure) -> CategoryUpdate {
        var change = CategoryUpdate()
        let names = try namesByLocale(texts)
        try Category.validate(names: names)
        change.names = names
        func patch(_ part: String) -> NullablePatch<Bool> { value(part).map { .value($0) } ?? .null }
        change.default = ChannelPatch(enabled: patch("enabled"), push: patch("push"), inbox: patch("inbox"))
        change.required = required.compactMap(ChannelName.init(rawValue:))
        change.bypassQuietHours = bypassesQuietHours
        change.exemptFromCaps = isExemptFromCaps
        change.position = try place(texts)
        return change
    }

    private func value(_ part: String) -> Bool? { defaults[part].flatMap { ["on": true, "off": false][$0] } }

    private func namesByLocale(_ texts: Texts) throws(Failure) -> [String: String] {
        var found: [String: String] = [:]
        for name in names {
            guard found.updateValue(name.text, forKey: name.locale) == nil else {
                throw .invalid("names", texts["categories.same_locale", ["locale": name.locale]])
            }
        }
        return found
    }

    private func place(_ texts: Texts) throws(Failure) -> Int? {
        guard !position.isEmpty else { return nil }
        guard let number = Int(position), Self.positions.contains(number) else {
            throw .invalid("position", texts["categories.wrong_position"])
        }
        return number
    }

    // MARK: What the page shows

    func values(_ texts: Texts) -> PageValues {
        let spare = Array(repeating: Name(locale: "", text: ""), count: Self.spareNames)
        return [
            "form_names": (names + spare).map { ["form_locale": $0.locale, "form_name": $0.text] as PageValues },
            "form_defaults": Self.parts.map { part in
                [
                    "field": "default_\(part)",
                    "field_label": texts[part == "enabled" ? "people.of_category" : "people.choice.\(part)"],
                    "choices": ["", "on", "off"].map { option in
                        [
                            "option": option, "option_chosen": option == defaults[part] ?? "",
                            "option_label": texts[option.isEmpty ? "people.open_default" : "people.\(option)"],
                        ] as PageValues
                    },
                ] as PageValues
            },
            "form_required": ChannelName.allCases.map { channel in
                [
                    "channel": channel.rawValue, "channel_label": texts["people.channel.\(channel.rawValue)"],
                    "channel_required": required.contains(channel.rawValue),
                ] as PageValues
            },
            "form_bypass": bypassesQuietHours, "form_exempt": isExemptFromCaps, "form_position": position,
        ]
    }
}
