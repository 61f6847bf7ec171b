import Foundation
import Hummingbird
import MartletCore
import MartletStore
import MartletWire
import Synchronization

/// The virtual phones of a simulator: their lock screens, and the events that come of them.
extension ConsoleService {
    var phoneRoutes: [ConsoleRoute] {
        [
            .get("/phones", .read) { call in .page(try await phonesPage(call)) },
            .get("/phones/live", .read, livePhones),
            .post("/phones/tap", .send) { call in try await answerPush(.open, call) },
            .post("/phones/dismiss", .send) { call in try await answerPush(.dismiss, call) },
        ]
    }

    private func phonesPage(_ call: ConsoleCall, refused: Failure? = nil) async throws -> Page {
        let title = call.texts["nav.phones"]
        guard let phones else {
            return Page(template: "phones_none", part: .phones, title: title, values: [:], refused: refused)
        }
        let look = await phones.current(atOnce: call.query["done"] != nil || refused != nil)
        var values = try await values(of: look, call)
        values["live"] = "/console/phones/live?v=\(part(values, call).version)"
        values.refuse(refused, form: "push", call.texts)
        return Page(template: "phones", part: .phones, title: title, values: values, refused: refused)
    }

    /// The phones and the events, again whenever one of them has changed. Each session has its own: they have its forms, and
    /// what its role may read; the simulator is asked once for all.
    private func livePhones(_ call: ConsoleCall) async throws -> ConsoleReply {
        guard let phones, let session = call.session?.session.row else { throw Failure.notFound("simulator") }
        let last = LastPart()
        return try liveReply("phones \(session) \(call.texts.language)", call) {
            let look = await phones.current()
            if let known = last.part(of: look.version) { return known }
            let part = part(try await values(of: look, call), call)
            last.keep(part, of: look.version)
            return part
        }
    }

    private func part(_ values: PageValues, _ call: ConsoleCall) -> LivePart {
        let page = Page(template: "phones_parts", part: .phones, title: "", values: values)
        return LivePart(html: pages.render(page, call), isOver: false)
    }

    private func values(of look: PhoneBoard.Look, _ call: ConsoleCall) async throws -> PageValues {
        let screens = PhoneScreens(look.pushes, answered: look.answered)
        let owners = try await owners(of: screens.phones, look)
        let phones = zip(screens.phones, owners).map { phone, owner in
            PhoneValues(call: call).values(phone, owner: owner)
        }
        let apps = try await apps(of: look.events.prefix(Self.shownEvents).map(\.app))
        return [
            "phones": phones, "has_phones": !phones.isEmpty, "simulator": settings.simulator ?? "",
            "unreachable": look.problem != nil, "has_events": !look.events.isEmpty,
            "events": look.events.prefix(Self.shownEvents).map { event in
                PhoneValues(call: call).values(event, app: apps[event.app])
            },
        ]
    }

    /// How many events stand beside the phones.
    private static let shownEvents = 30
    /// How many apps' devices are looked through for a phone.
    private static let searchedApps = 50

    /// The endpoints of these phones, by position; `nil` for a phone that no app knows.
    private func owners(of phones: [PhoneScreens.Phone], _ look: PhoneBoard.Look) async throws
        -> [(app: App, endpoint: Endpoint)?]
    {
        let apps = try await store.apps(PageRequest(count: Self.searchedApps)).items
        var found: [(App, Endpoint)?] = []
        for phone in phones {
            found.append(try await owner(of: phone.platform, look.token(of: phone.platform, phone.device), among: apps))
        }
        return found
    }

    private func owner(of platform: Platform, _ token: String, among apps: [App]) async throws -> (App, Endpoint)? {
        for app in apps {
            guard let endpoint = try await store.endpoint(app.row, .token(platform, token)) else { continue }
            if case .removed = endpoint.status { continue }
            return (app, endpoint)
        }
        return nil
    }

    /// What was tapped may be gone from the phone by then: the page says so, with the phones as they are.
    private func answerPush(_ type: EventType, _ call: ConsoleCall) async throws -> ConsoleReply {
        do {
            try await report(type, call)
            return .redirect("/console/phones?done=phone_\(type.rawValue)")
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try await phonesPage(call, refused: failure.advising(call.texts["phones.gone_hint"])))
        }
    }

    /// Reports what the phone would report, into the same store operation as the phone's upload.
    private func report(_ type: EventType, _ call: ConsoleCall) async throws {
        guard let phones else { throw Failure.notFound("simulator") }
        guard let platform = Platform(rawValue: call.form["platform"] ?? ""), let device = call.form["device"],
            let messageID = call.form["message_id"]
        else { throw Failure.notFound("push") }
        let look = await phones.current()
        let push = look.pushes.last { $0.platform == platform && $0.device == device && $0.messageID == messageID }
        let apps = try await store.apps(PageRequest(count: Self.searchedApps)).items
        guard push != nil,
            let (app, endpoint) = try await owner(of: platform, look.token(of: platform, device), among: apps)
        else { throw Failure(.notFound, call.texts["phones.gone"]) }
        let draft = EventDraft(type, of: messageID, on: endpoint, id: Self.newID(at: clock.now()), at: clock.now())
        let rule = app.identity.mode == .signed ? EventBatch.UserRule.proven(endpoint.user?.id) : .asserted
        _ = try await store.record(
            EventBatch(app: app.row, events: [draft], users: rule, retention: settings.eventRetention)
        )
        try await noteChange(
            AuditAction(rawValue: "phone.\(type.rawValue)"),
            of: AuditSubject("notification", messageID),
            by: call,
            app: app.row
        )
        await phones.note(PhoneScreens.Answered(device: device, messageID: messageID))
    }

    private static func newID(at now: Timestamp) -> PublicID {
        var random = SystemRandomNumberGenerator()
        return PublicID(milliseconds: now.rawValue, using: &random)
    }
}

extension PhoneBoard.Look {
    /// What the store knows a device by.
    func token(of platform: Platform, _ device: String) -> String {
        platform == .webpush ? addresses[device] ?? device : device
    }

    /// What was tapped or dismissed, as the events say it.
    var answered: Set<PhoneScreens.Answered> {
        var answered = Set(answeredHere)
        for event in events where [.open, .dismiss].contains(event.draft.type) {
            guard let messageID = event.draft.messageID else { continue }
            for device in [event.draft.apnsToken, event.draft.fcmToken] {
                if let device { answered.insert(PhoneScreens.Answered(device: device, messageID: messageID)) }
            }
        }
        return answered
    }
}

extension EventDraft {
    /// What a phone reports of a push that was tapped or dismissed on it.
    init(_ type: EventType, of messageID: String, on endpoint: Endpoint, id: PublicID, at now: Timestamp) {
        let platform: EventPlatform =
            switch endpoint.platform {
            case .apns: .ios
            case .fcm: .android
            case .webpush: .web
            }
        self.init(type: type, platform: platform, clientTime: now)
        eventID = id
        key = Key(id: id, memory: Key.eventMemory)
        self.messageID = messageID
        user = endpoint.user?.id
        apnsToken = endpoint.platform == .apns ? endpoint.token : nil
        fcmToken = endpoint.platform == .fcm ? endpoint.token : nil
        installation = endpoint.installation
        (deviceModel, osVersion) = (endpoint.device.model, endpoint.device.osVersion)
        appVersion = endpoint.device.appVersion
    }
}

/// What was made of the board last: nothing is written again for nothing.
private final class LastPart: Sendable {
    private let state = Mutex<(version: Int, part: LivePart)?>(nil)

    func part(of version: Int) -> LivePart? { state.withLock { $0?.version == version ? $0?.part : nil } }

    func keep(_ part: LivePart, of version: Int) { state.withLock { $0 = (version, part) } }
}
