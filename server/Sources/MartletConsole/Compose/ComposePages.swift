import Foundation
import HTTPTypes
import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// Writing an announcement: the form, what it looks like, whom it reaches.
extension ConsoleService {
    var composeRoutes: [ConsoleRoute] {
        [
            .get("/compose", .send) { call in
                let form = try await firstForm(call)
                let list = form.text(.users).map { PeopleList(typed: $0) }
                // Counted before it is shown: what comes a moment later would move what is below it.
                return .page(
                    try await composePage(form, call, list: list, counts: true, test: try await testResult(call))
                )
            },
            .post("/compose", .send, takesFile: true, compose),
            .post("/compose/preview", .preview, takesFile: true) { call in
                let form = ComposeForm(call.form)
                let app = try await requiredApp(form, call.texts)
                let values = try await previewValues(form, app, call.texts)
                return .page(Page(template: "compose_preview", title: "", values: values))
            },
            .post("/compose/count", .preview, takesFile: true) { call in
                let form = ComposeForm(call.form)
                let app = try await requiredApp(form, call.texts)
                let values = try await countValues(form, app, call)
                return .page(Page(template: "compose_count", title: "", values: values))
            },
            .post("/compose/list", .preview, takesFile: true) { call in
                let (form, list) = withFile(call)
                let values = listValues(form, list, call.texts)
                return .page(Page(template: "compose_list", title: "", values: values))
            },
            .get("/compose/reviews/{id}", .send, review),
            .post("/compose/send", .send, send),
        ]
    }

    /// The form as a link to it fills it in: as it is reviewed, like an earlier notification, or field by field.
    private func firstForm(_ call: ConsoleCall) async throws -> ComposeForm {
        if let id = call.query["review"].flatMap({ PublicID($0) }) { return try await reviewedForm(id, call) }
        guard let text = call.query["like"] else { return ComposeForm(call.query) }
        guard let id = PublicID(text), let found = try await store.notification(id),
            let app = try await store.app(.row(found.app))
        else { throw Failure.notFound("notification") }
        return ComposeForm(like: found.content, app: app, category: found.category)
    }

    /// What one of the form's buttons asks for; each answers with all that was written.
    private func compose(_ call: ConsoleCall) async throws -> ConsoleReply {
        let (form, list) = withFile(call)
        do {
            // Whoever sends to a list that was not taken would send to another one.
            if let refusal = list?.refusal(call.texts), call.form["do"] != "list" { throw refusal }
            switch call.form["do"] {
            case "list":
                let checked = list ?? form.text(.users).map { PeopleList(typed: $0) }
                guard let checked else { throw Failure.invalid("users", call.texts["compose.list_no_file"]) }
                return .page(try await composePage(form, call, list: checked))
            case "test":
                let tested = try await sendTest(form, call)
                let kept = try await store.createReview(form.encoded, of: call.owner().row)
                let query = Link.query(["review": kept.description, "tested": tested.description])
                return .redirect("/console/compose?\(query)")
            case "review": return try await beginReview(form, call)
            case "edit": return .page(try await composePage(form, call, list: list))
            default: return .page(try await composePage(form, call, list: list, counts: true))
            }
        } catch let failure as Failure where failure.isOfForm {
            return .page(try await composePage(form, call, list: list, failure: failure.atComposeField))
        }
    }

    /// The form with the people of a file that came with it, in place of those who were typed. A list that is too long is
    /// told of and not taken: no page has all of it.
    func withFile(_ call: ConsoleCall) -> (form: ComposeForm, list: PeopleList?) {
        var form = ComposeForm(call.form)
        guard let file = call.form.files["list"] else {
            return (form, form.text(.users) == nil ? nil : PeopleList(typed: form[.users]))
        }
        let list = PeopleList(file: file.text)
        form[.audience] = ComposeForm.AudienceKind.users.rawValue
        if !list.isTooLong {
            form[.users] = list.text
            form[.badLines] = BadLineNumbers(list)?.field ?? ""
        }
        return (form, list)
    }

    // MARK: The form

    func composePage(
        _ form: ComposeForm,
        _ call: ConsoleCall,
        list: PeopleList? = nil,
        counts: Bool = false,
        test: PageValues? = nil,
        failure: Failure? = nil
    ) async throws -> Page {
        var choice = try await appChoice(nil)
        var values: PageValues = ["no_apps": choice.apps.isEmpty, "many_apps": choice.apps.count > 1]
        choice.chosen = try await composeApp(form)
        values["app_options"] = choice.values
        if let app = choice.chosen {
            values["has_app"] = true
            values.keepInput()
            values["app_id"] = app.id.description
            values["app_name"] = app.name
            values.merge(try await fieldValues(form, app, call)) { $1 }
            values.merge(listValues(form, list, call.texts)) { $1 }
            values["list_limit"] = String(settings.fileLimit)
            values["list_too_large"] = PeopleList.tooLarge(limit: settings.fileLimit, call.texts)
            values.merge(try await previewValues(form, app, call.texts)) { $1 }
            values.merge(try await problemValues(app, call.texts)) { $1 }
            if counts { values.merge(try await countValues(form, app, call)) { $1 } }
            if let test { values["test"] = test }
            if failure?.code == .missingCredential, call.may(.configure) {
                values["wants_credential"] = true
                values["credential_address"] = Self.credentialForm(
                    for: form,
                    of: app,
                    isTest: call.form["do"] == "test"
                )
            }
        }
        values.show(failure, call.texts)
        return Page(
            template: "compose",
            part: .compose,
            title: call.texts["compose.page"],
            values: values,
            status: failure?.code.consoleStatus ?? .ok
        )
    }

    /// Where to store the credential that is missing, for the platform of the tokens that were named.
    private static func credentialForm(for form: ComposeForm, of app: App, isTest: Bool) -> String {
        let name = isTest ? form[.testKind] : form.kind == .devices ? form[.platform] : ""
        let query = Platform(rawValue: name).map { "?" + Link.query(["platform": $0.rawValue]) } ?? ""
        return "/console/apps/\(app.id)/credentials/new\(query)"
    }

    private func fieldValues(_ form: ComposeForm, _ app: App, _ call: ConsoleCall) async throws -> PageValues {
        let texts = call.texts
        var values: PageValues = ["f": form.fieldValues, "inbox": form.boxes.contains(.inbox)]
        values["sound"] = form.boxes.contains(.sound)
        values["skip_bad"] = form.boxes.contains(.skipsBadLines)
        for kind in ComposeForm.AudienceKind.allCases where kind == form.kind { values["for_\(kind.rawValue)"] = true }
        values["later"] = form.isLater
        values["is_expert"] = form.text(.data) != nil || form.text(.overrides) != nil
        func options(_ names: [String], _ key: String, _ chosen: String) -> [PageValues] {
            names.map { Option($0, texts["compose.\(key).\($0)"], chosen: chosen).values }
        }
        let categories = try await store.categories(of: app.row).filter { $0.archivedAt == nil }
        values["has_categories"] = !categories.isEmpty
        values["categories"] = categories.map { category in
            Option(category.key, CategoryWords(texts: texts).name(of: category), chosen: form[.category]).values
        }
        values.merge(try await topicValues(form, app)) { $1 }
        values["classes"] = options(NotificationClass.allCases.map(\.rawValue), "class", form[.class])
        values["badges"] = options(ComposeForm.BadgeKind.allCases.map(\.rawValue), "badge", form.badgeKind.rawValue)
        values["expiries"] = options(ComposeForm.expiries.map { String($0) }, "expiry", form[.expiry])
        values["platforms"] = options(Platform.allCases.map(\.rawValue), "platform", form[.platform])
        values["test_kinds"] = options(["user"] + Platform.allCases.map(\.rawValue), "test.kind", form[.testKind])
        let zone = form.text(.zone) ?? "UTC"
        values["new_zone"] = form.text(.zone) == nil
        values["zones"] = Self.zones.map { Option($0, $0, chosen: zone).values }
        return values
    }

    /// How many topics there are to choose from, of the app's own and of the server's each.
    private static let topicLimit = 100

    /// The topics to choose from, and the one that is chosen, which may be another.
    private func topicValues(_ form: ComposeForm, _ app: App) async throws -> PageValues {
        var topics: [Topic] = []
        var isWhole = true
        for owner in [app.row, nil] {
            let scope = TopicScope.owned(by: owner, region: settings.region)
            let found = try await store.topics(scope, PageRequest(count: Self.topicLimit))
            topics += found.items
            isWhole = isWhole && found.next == nil
        }
        let named = form.text(.topic)
        if let named, !topics.contains(where: { $0.isNamed(named) }),
            let topic = try? await composeTopic(named, app: app)
        {
            topics.append(topic)
        }
        topics.sort { ($0.name, $0.id.description) < ($1.name, $1.id.description) }
        let chosen = named.flatMap { named in topics.first { $0.isNamed(named) } }
        return [
            "has_topics": !topics.isEmpty, "more_topics": !isWhole,
            "topics": topics.map { Option($0.id.description, $0.name, chosen: chosen?.id.description).values },
            "unknown_topic": (chosen == nil ? named : nil).asList,
        ]
    }

    /// The zones that the server knows, by name.
    private static let zones: [String] =
        ["UTC"] + TimeZone.knownTimeZoneIdentifiers.filter { $0.contains("/") }.sorted()

    // MARK: Parts of it

    /// What was found in a list of people.
    func listValues(_ form: ComposeForm, _ list: PeopleList?, _ texts: Texts) -> PageValues {
        var values: PageValues = ["users_text": form[.users], "skip_bad": form.boxes.contains(.skipsBadLines)]
        let file = form.fileBadLines
        // What is wrong with a file is said line by line as long as the file is there, and by the lines' numbers after that.
        let isFileShown = list.map { BadLineNumbers($0) == file } ?? false
        let said = isFileShown ? nil : file?.sentence("compose.list.file_bad", texts)
        (values["file_bad"], values["file_lines"]) = (said.asList, (file?.field).asList)
        values["has_bad"] = file != nil || list.map { $0.badCount > 0 } ?? false
        guard let list else { return values }
        values["list"] =
            [
                "people_text": texts.counted("compose.list.people", list.count),
                "too_many": list.isTooLong,
                "too_many_text": texts["compose.list.too_many", ["n": Texts.number(list.count)]],
                "repeated": list.repeatedCount > 0,
                "repeated_text": texts.counted("compose.list.repeated", list.repeatedCount),
                "more_columns": list.hasMoreColumns,
                "has_bad_lines": list.badCount > 0, "bad_text": texts.counted("compose.list.bad", list.badCount),
                "bad_lines": list.badLines.map { line in
                    [
                        "line": texts["compose.list.line", ["n": Texts.number(line.number)]], "said": line.text,
                        "why": texts["compose.list.problem.\(line.problem.rawValue)"],
                    ] as PageValues
                },
                "more_bad": list.badCount > list.badLines.count,
                "more_bad_text": texts.counted("compose.list.more_bad", list.badCount - list.badLines.count),
            ] as PageValues
        return values
    }

    /// The phone, and the bytes that each platform's message has.
    func previewValues(_ form: ComposeForm, _ app: App, _ texts: Texts) async throws -> PageValues {
        var phone = PhonePreview(form)
        var values: PageValues = ["is_blank": form.isBlank, "app_id": app.id.description]
        values["no_credential"] = try await store.credentials(app.row).isEmpty
        do {
            let previews = try await submitter.preview(submission(form.previewRequest(texts), app: app))
            values["has_sizes"] = !previews.isEmpty
            values["sizes"] = previews.map { PageValues.size($0, providers, texts) }
            for preview in previews where preview.platform == .apns {
                guard case .success(let message) = preview.result else { continue }
                let body = message.payload.filled(badge: nil, deliveryID: app.id)
                phone = PhonePreview(payload: body, hasImage: form.text(.image) != nil)
            }
        } catch let failure as Failure where failure.isOfForm {
            values["refused_preview"] = PageValues.refusal(failure, texts)
        }
        values["phones"] = phone.values(app: app.name, texts)
        return values
    }

    /// How many people and devices it would reach.
    func countValues(_ form: ComposeForm, _ app: App, _ call: ConsoleCall) async throws -> PageValues {
        var values = try await problemValues(app, call.texts)
        do {
            let submission = try await submission(form.countingRequest(call.texts), app: app)
            values.merge(PageValues.count(try await submitter.estimate(submission), call.texts)) { $1 }
        } catch let failure as Failure where failure.isOfForm {
            values["refused_count"] = PageValues.refusal(failure, call.texts)
        }
        return values
    }

    /// What keeps a push to the app from going out now: it stays until that is mended, or until its time is over.
    func problemValues(_ app: App, _ texts: Texts) async throws -> PageValues {
        let found = try await problems.problems(of: app)
        return [
            "stops": found.compactMap { problem -> PageValues? in
                guard let queue = problem.queue, problem.kind == .paused || problem.kind == .notAnswering else {
                    return nil
                }
                let key = problem.kind == .paused ? "paused" : "not_answering"
                let text = texts["compose.\(key)", ["queue": texts.name(of: queue)]]
                return problem.values(texts).merging(["stop_text": text]) { $1 }
            }
        ]
    }
}

extension PeopleList {
    /// What is said of a file with more bytes than a form may have.
    fileprivate static func tooLarge(limit: Int, _ texts: Texts) -> String {
        let (kilobyte, megabyte) = (1024, 1024 * 1024)
        let size = limit < megabyte ? "\(limit / kilobyte) KB" : "\(limit / megabyte) MB"
        return texts["compose.list.too_large", ["size": size]]
    }
}

extension Topic {
    /// Whether a text is its name or its id.
    fileprivate func isNamed(_ text: String) -> Bool { name == text || id == PublicID(text) }
}

/// One of the choices of a field.
struct Option {
    var value, name: String
    var isChosen: Bool

    init(_ value: String, _ name: String, chosen: String?) {
        (self.value, self.name) = (value, name)
        isChosen = value == chosen
    }

    var values: PageValues { ["value": value, "label": name, "chosen": isChosen] }
}

extension ComposeForm {
    /// The fields' texts by their names.
    var fieldValues: PageValues {
        Field.allCases.reduce(into: [:]) { values, field in
            if field != .users { values[field.rawValue] = self[field] }
        }
    }

    /// What it says: neither to whom, nor when, nor what is left in inboxes changes what a phone shows.
    fileprivate func previewRequest(_ texts: Texts) throws(Failure) -> NotificationRequest {
        var form = self
        form[.audience] = AudienceKind.all.rawValue
        form[.when] = ""
        form.boxes.remove(.inbox)
        return try form.request(texts)
    }
}

extension PageValues {
    /// Makes the switch of languages send the form, so that nothing of what was written is lost. The form's own first button
    /// stands before it, hidden, because the first one is what the Enter key presses.
    mutating func keepInput() {
        (self["switch_keeps"], self["switch_action"], self["switch_do"]) = (true, "/console/compose", "edit")
        self["switch_default"] = ["check"]
    }

    /// How many people and devices a notification reaches, and who is kept out.
    static func count(_ estimate: AudienceEstimate, _ texts: Texts) -> PageValues {
        let reasons = estimate.keptOut.filter { $0.value > 0 }
            .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        let about = estimate.isExact ? "" : "about_"
        return [
            "counted": true, "nobody": estimate.people == 0,
            "count_people": texts.counted("compose.count.\(about)people", estimate.people),
            "count_devices": texts.counted("compose.count.devices", estimate.devices),
            "kept_out": reasons.map { reason, count in
                [
                    "kept_people": texts.counted("compose.count.kept_out", count),
                    "kept_why": texts.sentence(.suppressed, reason.rawValue),
                ] as PageValues
            },
            "has_kept_out": !reasons.isEmpty,
        ]
    }
}

extension Failure {
    /// Whether whoever filled a form in can mend it there.
    var isOfForm: Bool {
        switch code {
        case .internalError, .unauthorized, .forbidden: false
        default: true
        }
    }
}
