import Foundation
import HTTPTypes
import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// Who gets what when, and the one button.
extension ConsoleService {
    /// Keeps what was written, where it can be sent, and leads to its review: a page that is loaded again sends nothing.
    func beginReview(_ form: ComposeForm, _ call: ConsoleCall) async throws -> ConsoleReply {
        let app = try await requiredApp(form, call.texts)
        let request = try form.wholeRequest(call.texts, now: clock.now())
        _ = try await estimate(submission(request, app: app))
        let id = try await store.createReview(form.encoded, of: call.owner().row)
        return .redirect("/console/compose/reviews/\(id)")
    }

    /// The review in the path; once it is sent, what it sent.
    func review(_ call: ConsoleCall) async throws -> ConsoleReply {
        let id = try call.id(of: "review")
        let form = try await reviewedForm(id, call)
        do {
            if let repeated = try await submitter.repeated(record(of: id, form, call)) { return .sent(repeated.id) }
            return .page(try await reviewPage(id, form, call))
        } catch let failure as Failure where failure.isOfForm {
            return .page(try await composePage(form, call, failure: failure.atComposeField))
        }
    }

    /// What an operator wrote and reviews.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` for what is older than a day, or somebody else's.
    func reviewedForm(_ id: PublicID, _ call: ConsoleCall) async throws -> ComposeForm {
        guard let text = try await store.review(id, of: call.owner().row) else {
            throw Failure(.notFound, call.texts["compose.review.gone"], hint: call.texts["compose.review.gone_hint"])
        }
        return ComposeForm(try FormValues(urlEncoded: text))
    }

    /// What makes a review that is sent twice the same request, and equal ones equal: what is sent, however typed.
    private func record(of id: PublicID, _ form: ComposeForm, _ call: ConsoleCall) throws -> IdempotencyRecord {
        var request = try form.request(call.texts)
        request.app = form.text(.app)
        return IdempotencyRecord(
            sentBy: try call.owner(),
            once: id.description,
            route: "POST /console/compose/send",
            document: try DocumentEncoder.encode(request).json()
        )
    }

    /// The page before a send.
    ///
    /// - Parameter failure: why the button did not send.
    private func reviewPage(
        _ id: PublicID,
        _ form: ComposeForm,
        _ call: ConsoleCall,
        failure: Failure? = nil
    ) async throws -> Page {
        let app = try await requiredApp(form, call.texts)
        let request = try form.wholeRequest(call.texts, now: clock.now())
        let submission = try await submission(request, app: app)
        let estimate = try await estimate(submission)
        var values = try await previewValues(form, app, call.texts)
        values.merge(PageValues.count(estimate, call.texts)) { $1 }
        values.merge(try await problemValues(app, call.texts)) { $1 }
        values["app_name"] = app.name
        values["facts"] = facts(submission, form, call.texts)
        values["is_later"] = submission.sendAt != nil
        values["may_press"] = estimate.people > 0 || submission.sendAt != nil
        values["unknown_text"] = try await unknown(submission, estimate, call.texts).asList
        values["review"] = id.description
        values["lately"] = try await sentLately(record(of: id, form, call), call.texts).asList
        values["shown"] = estimate.people
        values["people_number"] = Texts.number(estimate.people)
        values["must_type"] = estimate.people > SendConfirmation.limit
        let moment = submission.sendAt == nil ? "now" : "later"
        values["send_button"] = call.texts.counted("compose.review.send_\(moment)", estimate.people)
        values.show(failure, call.texts)
        return Page(
            template: "compose_review",
            part: .compose,
            title: call.texts["compose.review.title"],
            values: values,
            refused: failure
        )
    }

    /// For how long the same send is asked about.
    private static let lately: Duration = .seconds(60)

    /// That the same operator sent the same a moment ago; `nil` where they did not.
    func sentLately(_ record: IdempotencyRecord, _ texts: Texts) async throws -> PageValues? {
        let now = clock.now()
        guard let sent = try await store.submitted(like: record, since: now - Self.lately) else { return nil }
        let seconds = max(1, (now - sent.createdAt).components.seconds)
        return [
            "lately_text": texts["compose.review.lately", ["n": String(seconds)]],
            "lately_address": "/console/notifications/\(sent.id)",
        ]
    }

    /// Whether a send that was made a moment ago is wanted once more.
    ///
    /// - Throws: `Failure` naming `repeat` where that was not said.
    func checkRepetition(_ record: IdempotencyRecord, _ call: ConsoleCall) async throws {
        guard !call.form.isOn("repeat"), let lately = try await sentLately(record, call.texts) else { return }
        let said = lately["lately_text"] as? String ?? ""
        throw Failure.invalid("repeat", said, hint: call.texts["compose.review.lately_hint"])
    }

    /// How many named people are looked for one by one, and how many of those who are not there are shown. Ours: some
    /// milliseconds, and a line.
    private static let (lookedFor, shownNames) = (200, 20)

    /// Which named people there are not, or not with a device.
    private func unknown(_ submission: Submission, _ estimate: AudienceEstimate, _ texts: Texts) async throws -> String?
    {
        guard case .users(let people) = submission.audience, let count = estimate.keptOut[.noEndpoint], count > 0 else {
            return nil
        }
        var names: [String] = []
        for user in people.prefix(Self.lookedFor) where names.count < min(count, Self.shownNames) {
            let devices = try await store.endpoints(submission.app.row, user: user, PageRequest(count: 1))
            if devices.items.isEmpty { names.append(user) }
        }
        guard !names.isEmpty else { return nil }
        var list = names.joined(separator: ", ")
        if count > names.count { list = texts["compose.unknown_more", ["names": list]] }
        return texts.counted("compose.unknown", count).replacing("{names}", with: list)
    }

    /// Counts whom a submission reaches; refuses what could not be sent.
    private func estimate(_ submission: Submission) async throws -> AudienceEstimate {
        do { return try await submitter.estimate(submission) } catch let failure as Failure {
            throw failure.naming(largestFieldOf: submission.content).atComposeField
        }
    }

    /// What was chosen, line by line.
    private func facts(_ submission: Submission, _ form: ComposeForm, _ texts: Texts) -> [PageValues] {
        func fact(_ name: String, _ text: String, _ moment: Timestamp? = nil) -> PageValues {
            var values: PageValues = ["fact_name": texts["compose.review.\(name)"], "fact": text]
            if let moment { values["fact_time"] = PageValues.time(moment) }
            return values
        }
        var facts = [fact("audience", audience(submission.audience, form, texts))]
        facts += form.leftOut.map { fact("left_out", $0.sentence("compose.list.left_out", texts)) }
        if let sendAt = submission.sendAt, let local = LocalMoment(form[.at]) {
            facts.append(fact("when", "\(local.text) \(form.text(.zone) ?? "UTC")", sendAt))
        } else {
            facts.append(fact("when", texts["compose.review.at_once"]))
        }
        let expiry = form.text(.expiry).map { texts["compose.expiry.\($0)"] } ?? texts["compose.expiry.usual"]
        facts.append(fact("expiry", expiry))
        facts.append(fact("class", texts["compose.class.\(submission.class.rawValue)"]))
        let category = submission.category.map(CategoryWords(texts: texts).name(of:))
        facts.append(fact("category", category ?? texts["compose.review.no_category"]))
        facts.append(fact("inbox", texts[submission.inbox == nil ? "common.no" : "common.yes"]))
        facts.append(fact("sound", texts[form.boxes.contains(.sound) ? "common.yes" : "common.no"]))
        if let image = form.text(.image) { facts.append(fact("image", image)) }
        if let link = form.text(.link) { facts.append(fact("link", link)) }
        if form.badgeKind != .none {
            let badge = form.badgeKind == .number ? form[.badge] : texts["compose.badge.unread"]
            facts.append(fact("badge", badge))
        }
        return facts
    }

    private func audience(_ audience: Audience, _ form: ComposeForm, _ texts: Texts) -> String {
        switch audience {
        case .all: texts["compose.for.all"]
        case .users(let people): texts.counted("compose.review.named_people", people.count)
        case .endpoints(let devices): texts.counted("compose.review.named_devices", devices.count)
        case .tokens(let devices, _): texts.counted("compose.review.named_devices", devices.count)
        case .topic(let topic):
            texts["compose.review.topic", ["name": topic.name]]
                + (form.text(.attributes).map { " – \($0)" } ?? "")
        }
    }

    // MARK: Sending

    /// Sends, or leads to what the same review sent before.
    func send(_ call: ConsoleCall) async throws -> ConsoleReply {
        guard let id = call.form["review"].flatMap({ PublicID($0) }) else {
            throw Failure(.malformedRequest, call.texts["compose.once_missing"], hint: call.texts["compose.once_hint"])
        }
        let form = try await reviewedForm(id, call)
        do {
            let record = try record(of: id, form, call)
            if let repeated = try await submitter.repeated(record) { return .sent(repeated.id) }
            let app = try await requiredApp(form, call.texts)
            let submission = try await submission(form.wholeRequest(call.texts, now: clock.now()), app: app)
            let people = try await estimate(submission).people
            let confirmation = SendConfirmation(
                people: people,
                shown: call.form["shown"].flatMap { Int($0) } ?? 0,
                typed: call.form["typed"] ?? ""
            )
            do {
                try await checkRepetition(record, call)
                guard confirmation == .given else {
                    let key = confirmation == .wanting ? "compose.review.type_it" : "compose.review.outdated"
                    throw Failure.invalid("typed", call.texts[key, ["n": Texts.number(people)]])
                }
            } catch let failure as Failure where ["repeat", "typed"].contains(failure.detail.field) {
                // What it would repeat may be itself, sent by the same button meanwhile.
                if let repeated = try await submitter.repeated(record) { return .sent(repeated.id) }
                return .page(try await reviewPage(id, form, call, failure: failure))
            }
            let submitted = try await submitter.submit(submission, idempotency: record)
            try await self.record(submitted, submission, people: people, call)
            return .sent(submitted.id)
        } catch let failure as Failure where failure.isOfForm {
            return .page(try await composePage(form, call, failure: failure.atComposeField))
        }
    }
}

extension ComposeForm {
    /// What the form asks for, where it says something, at a time that can come.
    fileprivate func wholeRequest(_ texts: Texts, now: Timestamp) throws(Failure) -> NotificationRequest {
        if isBlank, text(.data) == nil, text(.overrides) == nil, badgeKind == .none {
            throw .invalid(Field.body.rawValue, texts["compose.blank"], hint: texts["compose.blank_hint"])
        }
        var request = try request(texts)
        if let sendAt = request.sendAt.map(Timestamp.init) { try check(sendAt, now: now, texts) }
        // There is nothing to read later.
        if isBlank, text(.data) == nil { request.inbox = .enabled(false) }
        return request
    }

    private func check(_ sendAt: Timestamp, now: Timestamp, _ texts: Texts) throws(Failure) {
        let latest = now + Submission.farthest
        if (try? Submission.begin(sendAt, now: now)) == nil, sendAt < now {
            throw .invalid(Field.at.rawValue, texts["compose.at_passed"], hint: texts["compose.at_passed_hint"])
        }
        guard sendAt > latest else { return }
        let zone = TimeZone(identifier: text(.zone) ?? "UTC") ?? .gmt
        let shown = LocalMoment(latest, in: zone)
        let time = "\(shown.text) \(zone.identifier)"
        throw .invalid(Field.at.rawValue, texts["compose.at_far", ["time": time]])
    }
}
