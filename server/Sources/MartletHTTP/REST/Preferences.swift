import HTTPTypes
import MartletCore
import MartletStore
import MartletWire

/// What a person wants: the person asks and changes by their own token, a server key names the user.
extension MartletAPI {
    func showPreferences(_ call: Call) async throws -> Reply<PreferencesResponse> {
        let (app, user) = try await person(of: call)
        return try await reply(store.preferences(of: user, app.row), app)
    }

    func updatePreferences(_ request: PreferencesUpdate, _ call: Call) async throws -> Reply<PreferencesResponse> {
        let (app, user) = try await person(of: call)
        // Each category is a row of the history.
        let count = max(1, (request.master == nil ? 0 : 1) + (request.categories?.count ?? 0))
        if call.caller.key == nil { try quotas.takePreferenceChanges(count, of: user, app) }
        // Who changes it for themselves is in the history of their preferences alone.
        let isByKey = call.caller.auditActor != nil
        let before = isByKey ? try await store.preferences(of: user, app.row) : nil
        let draft = PreferencesDraft(
            user: user,
            master: request.master,
            categories: try await patches(request.categories, of: app),
            revision: try call.revision()
        )
        let outcomes = try await store.changePreferences([draft], of: app.row, actor: call.caller.actor)
        guard let outcome = outcomes.first else { throw Failure(.internalError, "The store answered nothing.") }
        switch outcome {
        case .success(let preferences):
            let answer = try await reply(preferences, app)
            if let before {
                await record(
                    "preferences.update",
                    of: .user(user),
                    by: call.caller,
                    app: app.row,
                    before: .shown(try await reply(before, app).document),
                    after: .shown(answer.document)
                )
            }
            return answer
        case .failure(let failure):
            throw failure.code == .conflict ? failure.at(HTTPField.Name.ifMatch.rawName) : failure
        }
    }

    func listPreferenceChanges(_ call: Call) async throws -> List<PreferenceChange> {
        let page = try call.page()
        let (app, user) = try await person(of: call)
        return call.list(try await store.preferenceHistory(of: user, app.row, page), \.self)
    }

    /// The changes for categories by their rows.
    ///
    /// - Throws: `Failure` naming `categories.KEY`.
    func patches(_ patches: [String: ChannelPatch]?, of app: App) async throws -> [RowID<Category>: ChannelPatch] {
        var found: [RowID<Category>: ChannelPatch] = [:]
        // Sorted, so that of several that are wrong always the same one is named.
        for (key, patch) in (patches ?? [:]).sorted(by: { $0.key < $1.key }) {
            let category = try await category(key, of: app, field: Schema.join("categories", key))
            found[category.row] = patch
        }
        return found
    }

    private func reply(_ preferences: UserPreferences, _ app: App) async throws -> Reply<PreferencesResponse> {
        let categories = try await store.categories(of: app.row)
        var reply = Reply(PreferencesResponse(preferences, categories: categories))
        reply.headers[.eTag] = "\"\(preferences.revision)\""
        return reply
    }
}

extension Call {
    /// The revision that a change is made on: `If-Match` with a number, in quotation marks or without.
    ///
    /// - Throws: `Failure` naming the header field.
    fileprivate func revision() throws(Failure) -> Int64? {
        guard let text = header(HTTPField.Name.ifMatch.rawName), text != "*" else { return nil }
        let isQuoted = text.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
        let digits = isQuoted ? text.dropFirst().dropLast() : text[...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let revision = Int64(digits) else {
            throw .invalid(
                HTTPField.Name.ifMatch.rawName,
                "It is not a revision.",
                hint: "Send the 'revision' of the answer before, or leave it out."
            )
        }
        return revision
    }
}

extension PreferencesResponse {
    init(_ preferences: UserPreferences, categories: [Category]) {
        self.init(
            revision: preferences.revision,
            master: preferences.master,
            categories: categories.filter { $0.archivedAt == nil }.map { CategoryPreference($0, preferences) }
        )
        locale = preferences.locale
        timeZone = preferences.timeZone
    }
}

extension CategoryPreference {
    init(_ category: Category, _ preferences: UserPreferences) {
        let own = preferences.categories[category.row] ?? ChannelChoice()
        let choice = PersonChoice(master: preferences.master, category: own)
        self.init(
            key: category.key,
            names: category.names,
            choice: own,
            push: ChannelState(PreferenceDecision(.push, category: category, choice: choice)),
            inbox: ChannelState(PreferenceDecision(.inbox, category: category, choice: choice))
        )
    }
}

extension ChannelState {
    init(_ decision: PreferenceDecision) { self.init(isOn: decision.isOn, source: decision.source) }
}
