import MartletCore
import MartletWire

/// What pages say of a category. A pure value.
struct CategoryWords: Sendable {
    var texts: Texts

    /// Where its page is.
    func address(of category: Category, _ app: App) -> String {
        "/console/categories/\(app.id)/\(Link.escaped(category.key))"
    }

    func values(of category: Category, _ app: App) -> PageValues {
        [
            "category_key": category.key, "category_name": name(of: category),
            "category_address": address(of: category, app), "category_position": String(category.position),
            "category_default": defaults(of: category), "category_required": required(of: category),
            "is_archived": category.archivedAt != nil,
            "category_archived": category.archivedAt.map { PageValues.time($0) } ?? [:] as PageValues,
            "category_names": category.names.sorted { $0.key < $1.key }.map {
                ["locale": $0.key, "locale_name": $0.value] as PageValues
            },
            "has_names": !category.names.isEmpty, "starts_on": startsOn(category),
        ]
    }

    /// What people read of it in the page's language, else in English, else in any; its key where it has no name.
    func name(of category: Category) -> String {
        for language in [texts.language, "en"] {
            if let exact = category.names[language] { return exact }
            let near = category.names.filter { $0.key.lowercased().hasPrefix(language + "-") }
            if let found = near.min(by: { $0.key < $1.key }) { return found.value }
        }
        return category.names.min { $0.key < $1.key }?.value ?? category.key
    }

    /// Whether anything of it comes to who has chosen nothing.
    private func startsOn(_ category: Category) -> Bool {
        ChannelName.allCases.contains { PreferenceDecision($0, category: category, choice: PersonChoice()).isOn }
    }

    /// What holds for who has chosen nothing.
    func defaults(of category: Category) -> String {
        let isOn = ChannelName.allCases.reduce(into: [ChannelName: Bool]()) { found, channel in
            found[channel] = PreferenceDecision(channel, category: category, choice: PersonChoice()).isOn
        }
        switch (isOn[.push] ?? false, isOn[.inbox] ?? false) {
        case (true, true): return texts["categories.default_both"]
        case (true, false): return texts["categories.default_push"]
        case (false, true): return texts["categories.default_inbox"]
        case (false, false): return texts["categories.default_none"]
        }
    }

    /// What nobody can switch off.
    func required(of category: Category) -> String {
        switch (category.required.contains(.push), category.required.contains(.inbox)) {
        case (true, true): texts["categories.required_both"]
        case (true, false): texts["categories.required_push"]
        case (false, true): texts["categories.required_inbox"]
        case (false, false): texts["categories.required_none"]
        }
    }
}
