import MartletCore
import MartletStore
import MartletWire

/// What a person wants, as they have it, and as an operator changes it on their word.
extension ConsoleService {
    var personPreferenceRoutes: [ConsoleRoute] {
        [
            .get("/people/{app}/{user}/preferences", .read) { call in
                .page(try await preferencesPage(call, knownPerson(of: call)))
            },
            .post("/people/{app}/{user}/preferences", .configure, changePreferences),
        ]
    }

    private func preferencesPage(_ call: ConsoleCall, _ person: Person, failure: Failure? = nil) async throws -> Page {
        let preferences = try await store.preferences(of: person.user, person.app.row)
        let categories = try await store.categories(of: person.app.row).filter { $0.archivedAt == nil }
        let words = PreferenceWords(texts: call.texts, form: call.form)
        let values: PageValues = [
            "revision": String(preferences.revision),
            "preferences_address": "\(person.address)/preferences",
            "categories_address": "/console/categories?app=\(person.app.id)",
            "master_fields": words.fields(PreferenceForm.master, preferences.master, .overAll),
            "preferences": categories.map { words.values(of: $0, preferences) },
            "has_categories": !categories.isEmpty,
            "person_locale": preferences.locale ?? call.texts["people.not_known"],
            "person_zone": preferences.timeZone ?? call.texts["people.not_known"],
        ]
        return personPage("person_preferences", .preferences, person, call, values, failure: failure)
    }

    private func changePreferences(_ call: ConsoleCall) async throws -> ConsoleReply {
        let person = try await knownPerson(of: call)
        let categories = try await store.categories(of: person.app.row).filter { $0.archivedAt == nil }
        let before = try await store.preferences(of: person.user, person.app.row)
        let draft = PreferencesDraft(
            user: person.user,
            master: PreferenceForm.patch(PreferenceForm.master, call.form),
            categories: categories.reduce(into: [:]) { patches, category in
                patches[category.row] = PreferenceForm.patch(PreferenceForm.field(of: category), call.form)
            },
            revision: call.form["revision"].flatMap { Int64($0) }
        )
        let actor = try call.owner().changeActor
        do {
            let outcomes = try await store.changePreferences([draft], of: person.app.row, actor: actor)
            guard let after = try outcomes.first?.get() else { throw Failure(.internalError, "") }
            try await noteChange(
                "preferences.update",
                of: person.subject,
                by: call,
                app: person.app.row,
                before: before.audited(categories),
                after: after.audited(categories)
            )
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try await preferencesPage(call, person, failure: failure))
        }
        return .redirect("\(person.address)/preferences?done=preferences")
    }
}

/// How choices stand in a form: a field for each, empty for none. A pure value.
enum PreferenceForm {
    /// The prefix of the choices over all categories; no category's key is empty.
    static let master = "choice:"

    static func field(of category: Category) -> String { "choice:\(category.key)" }

    /// What a form says of one choice; what it does not name stays.
    static func patch(_ field: String, _ form: FormValues) -> ChannelPatch {
        func value(_ name: String) -> NullablePatch<Bool> {
            switch form.all("\(field):\(name)").first {
            case nil: .unset
            case "on"?: .value(true)
            case "off"?: .value(false)
            case _?: .null
            }
        }
        return ChannelPatch(enabled: value("enabled"), push: value("push"), inbox: value("inbox"))
    }
}

/// What a page shows of preferences. A pure value.
struct PreferenceWords: Sendable {
    /// What no choice comes to.
    enum Open { case overAll, category, byDefault }

    var texts: Texts
    /// What was sent, where that was refused and is shown again.
    var form: FormValues

    func values(of category: Category, _ preferences: UserPreferences) -> PageValues {
        let own = preferences.categories[category.row] ?? ChannelChoice()
        let choice = PersonChoice(master: preferences.master, category: own)
        return [
            "category_name": CategoryWords(texts: texts).name(of: category), "category_key": category.key,
            "category_fields": fields(PreferenceForm.field(of: category), own, .category),
            "channels": ChannelName.allCases.map { channel in
                let decision = PreferenceDecision(channel, category: category, choice: choice)
                return [
                    "channel_name": texts["people.channel.\(channel.rawValue)"], "channel_on": decision.isOn,
                    "channel_source": texts["people.source.\(decision.source.rawValue)"],
                ] as PageValues
            },
        ]
    }

    /// A select field for each part of a choice.
    func fields(_ field: String, _ choice: ChannelChoice, _ open: Open) -> [PageValues] {
        [("enabled", choice.enabled), ("push", choice.push), ("inbox", choice.inbox)].map { name, value in
            let stored = value.map { $0 ? "on" : "off" } ?? ""
            let chosen = form.all("\(field):\(name)").first ?? stored
            return [
                "field": "\(field):\(name)",
                "field_label": texts[
                    name == "enabled" && open == .category ? "people.of_category" : "people.choice.\(name)"
                ],
                "field_text": texts[label(chosen, open)],
                "choices": ["", "on", "off"].map { option in
                    ["option": option, "option_label": texts[label(option, open)], "option_chosen": option == chosen]
                        as PageValues
                },
            ] as PageValues
        }
    }

    private func label(_ option: String, _ open: Open) -> String {
        switch (option, open) {
        case ("on", _): "people.on"
        case ("off", _): "people.off"
        case (_, .overAll): "people.open_over_all"
        case (_, .category): "people.open_category"
        case (_, .byDefault): "people.open_default"
        }
    }
}

extension ChannelChoice {
    /// What the audit log shows of it.
    var audited: JSONValue {
        ["enabled": JSONValue(flag: enabled), "push": JSONValue(flag: push), "inbox": JSONValue(flag: inbox)]
    }
}

extension UserPreferences {
    fileprivate func audited(_ known: [Category]) -> JSONValue {
        let chosen = known.compactMap { category in categories[category.row].map { (category.key, $0.audited) } }
        return [
            "master": master.audited,
            "categories": .object(Dictionary(chosen, uniquingKeysWith: { $1 })),
        ]
    }
}
