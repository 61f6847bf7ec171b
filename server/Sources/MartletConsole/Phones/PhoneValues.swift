import MartletCore
import MartletWire

/// What pages show of virtual phones and of events. Who may not read tokens and texts sees that there are some.
struct PhoneValues: Sendable {
    let call: ConsoleCall

    /// What stands in a text's place.
    private static let mask = "••••••"

    func values(_ phone: PhoneScreens.Phone, owner: (app: App, endpoint: Endpoint)?) -> PageValues {
        let user = owner?.endpoint.user?.id
        let mayAnswer = call.may(.send) && owner != nil
        return [
            "phone_name": user ?? call.texts["phones.nobody"], "phone_known": user != nil,
            "phone_person": user.flatMap { user in
                owner.map { "/console/people/\($0.app.id)/\(Link.escaped(user))" }
            } ?? "",
            "phone_apps": owner.map {
                ["app_link": "/console/apps/\($0.app.id)", "app_name": $0.app.name] as PageValues
            }.asList,
            "phone_platform": call.texts.name(of: phone.platform, nil), "phone_device": device(phone.device),
            "phone_clock": clock(phone.last), "phone_last": PageValues.time(phone.last),
            "phone_badges": (phone.pushes.first?.badge).map { String($0) }.asList,
            "phone_empty": phone.pushes.isEmpty,
            "pushes": phone.pushes.map { values($0, mayAnswer: mayAnswer) },
        ]
    }

    private func values(_ push: SimulatedPush, mayAnswer: Bool) -> PageValues {
        [
            "push_title": text(push.title), "push_has_title": !push.title.isEmpty,
            "push_body": text(push.body), "push_has_body": !push.body.isEmpty,
            "push_time": PageValues.time(push.at),
            // Tokens are only in forms of who may read them.
            "push_forms": (mayAnswer ? push.messageID : nil).map { id in
                [
                    "answer_message": id, "answer_platform": push.platform.rawValue, "answer_device": push.device,
                    "answer_id": "\(push.platform.rawValue)-\(push.sequence)",
                ] as PageValues
            }.asList,
        ]
    }

    func values(_ event: Event, app: App?) -> PageValues {
        let draft = event.draft
        let isOurs = draft.messageID.map { PublicID($0) != nil } ?? false
        return [
            "event_time": PageValues.time(event.receivedAt),
            "event_type": call.texts["phones.event_\(draft.type.rawValue)"],
            "event_word": draft.type.rawValue, "event_platform": draft.platform.rawValue,
            "event_people": draft.user.flatMap { user in
                app.map {
                    ["event_user": user, "event_person": "/console/people/\($0.id)/\(Link.escaped(user))"] as PageValues
                }
            }.asList,
            "event_messages": draft.messageID.map { id in
                ["event_message": id, "event_linked": isOurs, "event_link": "/console/notifications/\(id)"]
                    as PageValues
            }.asList,
            "event_values": draft.value.map { text($0) }.asList,
        ]
    }

    private func text(_ text: String) -> String {
        call.may(.readUnmasked) || text.isEmpty ? text : Self.mask
    }

    /// The beginning of a token: enough to tell phones apart, and nothing can be sent with it.
    private func device(_ token: String) -> String { String(token.prefix(call.may(.readUnmasked) ? 12 : 6)) + "…" }

    /// Hours and minutes in UTC, as a lock screen shows them large; the script writes the reader's own.
    private func clock(_ moment: Timestamp) -> String {
        let minutes = moment.rawValue / 60_000 % 1_440
        let (hour, minute) = (minutes / 60, minutes % 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
}
