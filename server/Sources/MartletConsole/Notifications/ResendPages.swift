import Foundation
import HTTPTypes
import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// Sending a notification again to those who missed it.
extension ConsoleService {
    /// How many of those who missed it the page looks at before anybody asks it to count. Ours: they take some 40 ms, and
    /// the page is to take less than 100.
    private static let firstLook = 10_000

    /// The page in the path; once its form is sent, what it sent. Each has a random text of its own, so that what was sent is
    /// known when the page is loaded again.
    func resendPage(_ call: ConsoleCall) async throws -> ConsoleReply {
        let words = call.query.all("reason").filter { !$0.isEmpty }
        let notification = try await notification(of: call)
        guard let once = call.query["once"], Self.isOnce(once) else {
            return .redirect(call.address(changing: "once", to: Self.newOnce))
        }
        do {
            let record = try idempotency(resend: notification.id, words, once, call)
            if let repeated = try await submitter.repeated(record) { return .sent(repeated.id) }
        } catch let failure as Failure where failure.code == .idempotencyMismatch {
            return .redirect(call.address(changing: "once", to: Self.newOnce))
        }
        return .page(try await resendPage(call, words: words, once: once, counting: call.query.isOn("count")))
    }

    /// To a page that counts those who missed it for these reasons.
    private static func countedPage(_ id: PublicID, _ words: [String]) -> ConsoleReply {
        let reasons = words.map { "&reason=\(Link.escaped($0))" }.joined()
        return .redirect("/console/notifications/\(id)/resend?once=\(newOnce)&count=on\(reasons)")
    }

    private static var newOnce: String { Secret(prefix: "", bits: 128).text }

    /// Counts those to whom it goes; of many only when it is asked to.
    private func resendPage(
        _ call: ConsoleCall,
        words: [String],
        once: String,
        failure: Failure? = nil,
        counting: Bool = true
    ) async throws -> Page {
        let notification = try await notification(of: call)
        let reasons = try await store.missedReasons(of: notification.row, limit: PageRequest.limit)
        let targets = try await store.resendTargets(
            of: notification.row,
            for: try ResendReasons(words.isEmpty ? nil : words),
            limit: Audience.limit,
            among: counting ? nil : Self.firstLook
        )
        let count = targets.endpoints.count
        let choices = Self.choices(reasons, words, call.texts)
        let isNobody = count == 0 && !targets.isPartial
        // Reasons that stand above are counted only once they are chosen.
        let mayBeOthers = isNobody && words.isEmpty && !choices.isEmpty
        var values: PageValues = [
            "address": "/console/notifications/\(notification.id)", "name": title(of: notification, call),
            "choices": choices, "is_usual": words.isEmpty,
            "counted_reasons": Self.counted(words),
            "once": once, "shown": count, "people_number": Texts.number(count),
            "nobody": isNobody && !mayBeOthers, "nobody_usual": mayBeOthers, "is_partial": targets.isPartial,
            "many_text": call.texts["notifications.resend.many", ["n": Texts.number(Self.firstLook)]],
            "is_recalled": targets.isRecalled, "is_over": targets.isOver,
            "limit_text": call.texts["notifications.resend.too_many", ["n": Texts.number(Audience.limit)]],
            "must_type": count > SendConfirmation.limit,
            "may_send": count > 0 && !targets.isPartial && !targets.isRecalled && !targets.isOver,
            "count_text": call.texts.counted("notifications.resend.devices", count),
            "send_button": call.texts.counted("notifications.resend.send", count),
        ]
        let record = try idempotency(resend: notification.id, words, once, call)
        values["lately"] = try await sentLately(record, call.texts).asList
        values.show(failure, call.texts)
        return Page(
            template: "notification_resend",
            part: .notifications,
            title: call.texts["notifications.resend.title"],
            values: values,
            status: failure?.code.consoleStatus ?? .ok
        )
    }

    /// The reasons that somebody missed it for and that may be chosen.
    private static func choices(_ found: MissedReasons, _ chosen: [String], _ texts: Texts) -> [PageValues] {
        let known = Dictionary(grouping: found.counts.keys, by: \.word)
        return known.sorted { $0.key < $1.key }.compactMap { word, reasons in
            guard let first = reasons.first, (try? ResendReasons([word])) != nil else { return nil }
            return [
                "word": word, "why": texts.sentence(first.state, first.reason), "chosen": chosen.contains(word),
            ] as PageValues
        }
    }

    func resend(_ call: ConsoleCall) async throws -> ConsoleReply {
        let words = call.form.all("reason").filter { !$0.isEmpty }
        let notification = try await notification(of: call)
        guard call.form["do"] == "send" else { return Self.countedPage(notification.id, words) }
        let once = try once(call)
        do {
            guard let app = try await store.app(.row(notification.app)) else { throw Failure.notFound("notification") }
            if notification.category?.archivedAt != nil {
                throw Failure(.conflict, call.texts["notifications.resend.archived"])
            }
            let record = try idempotency(resend: notification.id, words, once, call)
            if let repeated = try await submitter.repeated(record) { return .sent(repeated.id) }
            let reasons = try ResendReasons(words.isEmpty ? nil : words)
            // What was chosen since the page counted is counted first.
            guard call.form.raw("counted").replacing("\r\n", with: "\n") == Self.counted(words) else {
                return Self.countedPage(notification.id, words)
            }
            try await checkRepetition(record, call)
            let targets = try await store.resendTargets(
                of: notification.row,
                for: reasons,
                limit: Audience.limit,
                among: nil
            )
            let confirmation = SendConfirmation(
                people: targets.endpoints.count,
                shown: call.form["shown"].flatMap { Int($0) } ?? 0,
                typed: call.form["typed"] ?? ""
            )
            guard confirmation == .given else {
                throw Failure.invalid("typed", call.texts["notifications.resend.type_it"])
            }
            let resent = try await submitter.resend(notification, of: app, for: reasons, idempotency: record)
            try await recordResend(resent, of: notification, call)
            return .sent(resent.id)
        } catch let failure as Failure where failure.isOfForm && failure.code != .notFound {
            var failure = failure
            if failure.detail.hint != nil { failure.detail.hint = hint(failure, notification, call.texts) }
            return .page(try await resendPage(call, words: words, once: once, failure: failure))
        }
    }

    /// What to do here about a refusal that says what to do by the API.
    private func hint(_ failure: Failure, _ notification: MartletCore.Notification, _ texts: Texts) -> String? {
        switch failure.code {
        case .conflict where notification.isOver: texts["notifications.resend.nobody_hint"]
        case .conflict: texts["notifications.resend.going_on_hint"]
        case .invalidValue where failure.detail.field?.hasPrefix("reasons") ?? false:
            texts["notifications.resend.reasons_hint"]
        default: failure.detail.hint
        }
    }

    /// For which reasons a page has counted.
    private static func counted(_ words: [String]) -> String { words.sorted().joined(separator: "\n") }

    /// The random text of a form that is sent once.
    private func once(_ call: ConsoleCall) throws(Failure) -> String {
        guard let once = call.form["once"], Self.isOnce(once) else {
            throw Failure(.malformedRequest, call.texts["compose.once_missing"], hint: call.texts["compose.once_hint"])
        }
        return once
    }

    private static func isOnce(_ text: String) -> Bool {
        (16...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private func idempotency(
        resend id: PublicID,
        _ words: [String],
        _ once: String,
        _ call: ConsoleCall
    ) throws -> IdempotencyRecord {
        let document: JSONValue = ["id": .string(id.description), "reasons": .array(words.map { .string($0) })]
        return IdempotencyRecord(
            sentBy: try call.owner(),
            once: once,
            route: "POST /console/notifications/{id}/resend",
            document: try document.json()
        )
    }

    private func recordResend(_ resent: Resent, of notification: MartletCore.Notification, _ call: ConsoleCall)
        async throws
    {
        if resent.isRepeated, try await sender(of: resent.id) != nil { return }
        try await noteChange(
            .sendNotification,
            of: .notification(resent.id),
            by: call,
            app: notification.app,
            after: ["again": .string(notification.id.description), "devices": .integer(Int64(resent.count))]
        )
    }
}
