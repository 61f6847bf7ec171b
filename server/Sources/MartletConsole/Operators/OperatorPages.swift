import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// Who may open the console, for admins.
extension ConsoleService {
    var operatorRoutes: [ConsoleRoute] {
        [
            .get("/operators", .manageOperators) { call in .page(try await operatorsPage(call)) },
            .post("/operators", .manageOperators, invite),
            .post("/operators/{id}", .manageOperators, changeOperator),
            .post("/operators/{id}/password-link", .manageOperators, linkPassword),
            .post("/operators/{id}/end-sessions", .manageOperators) { call in
                let other = try await known(call)
                _ = try await store.endSessions(.all(of: other.row, but: nil), by: call.owner().actor)
                return .redirect("/console/operators?done=sessions_ended")
            },
            .get("/sessions", .manageOperators) { call in .page(try await sessionsPage(call)) },
            .post("/sessions/{id}/end", .manageOperators) { call in
                let ending = SessionEnding.one(try call.id(of: "session"), of: nil)
                _ = try await store.endSessions(ending, by: call.owner().actor)
                return .redirect("/console/sessions?done=session_ended")
            },
        ]
    }

    private func known(_ call: ConsoleCall) async throws -> Operator {
        guard let other = try await store.operator(.id(call.id(of: "operator"))) else {
            throw Failure.notFound("operator")
        }
        return other
    }

    private func operatorsPage(
        _ call: ConsoleCall,
        refused: Failure? = nil,
        invitation: Failure? = nil
    ) async throws -> Page {
        let own = try call.owner().row
        let operators = try await store.operators(.all, call.listPage("operators"))
        var values: PageValues = [
            "tab_operators": true,
            "operators": operators.items.map { Self.values($0, isOwn: $0.row == own, call) },
            "pager": call.pager("operators", next: operators.next), "form_name": call.form["name"] ?? "",
            "invited_roles": Self.roles(OperatorRole(rawValue: call.form["role"] ?? "") ?? .viewer, call),
        ]
        values.refuse(refused, form: "change", call.texts)
        values.show(invitation, call.texts)
        return Page(
            template: "operators",
            part: .operators,
            title: call.texts["operators.title"],
            values: values,
            refused: refused ?? invitation
        )
    }

    private static func values(_ one: Operator, isOwn: Bool, _ call: ConsoleCall) -> PageValues {
        [
            "person_id": one.id.description, "person_name": one.name, "person_own": isOwn,
            "person_role": call.texts["role.\(one.role.rawValue)"], "person_roles": roles(one.role, call),
            "person_since": PageValues.time(one.createdAt), "person_enabled": one.disabledAt == nil,
            "person_disabled": one.disabledAt.map(PageValues.time).asList,
        ]
    }

    private static func roles(_ chosen: OperatorRole, _ call: ConsoleCall) -> [PageValues] {
        OperatorRole.allCases.map { role in
            [
                "role_word": role.rawValue, "role_name": call.texts["role.\(role.rawValue)"],
                "role_note": call.texts["operators.may_\(role.rawValue)"], "role_selected": role == chosen,
            ]
        }
    }

    /// Invites somebody, and shows the link once.
    private func invite(_ call: ConsoleCall) async throws -> ConsoleReply {
        do {
            guard let role = OperatorRole(rawValue: call.form["role"] ?? "") else {
                throw Failure.invalid("role", call.texts["operators.role_missing"])
            }
            let name = call.form["name"] ?? ""
            return .page(Self.linkPage(call, try await operators.invite(name, as: role, by: call.owner().actor)))
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try await operatorsPage(call, invitation: failure))
        }
    }

    /// Has an operator set a new password, and shows the link once.
    private func linkPassword(_ call: ConsoleCall) async throws -> ConsoleReply {
        let other = try await known(call)
        do {
            return .page(Self.linkPage(call, try await operators.invite(other.name, as: nil, by: call.owner().actor)))
        } catch let failure as Failure where failure.code == .conflict {
            return .page(try await operatorsPage(call, refused: failure))
        }
    }

    private static func linkPage(_ call: ConsoleCall, _ made: NewInvitation) -> Page {
        let invitation = made.invitation
        let words = ["name": invitation.name, "role": call.texts["role.\(invitation.role.rawValue)"]]
        let (title, note) =
            invitation.isPasswordReset
            ? ("operators.reset", "operators.reset_link_note") : ("operators.invited", "operators.link_note")
        return Page(
            template: "operator_invited",
            part: .operators,
            title: call.texts[title, words],
            values: ["link": "/console/invitations/\(made.token)", "link_note": call.texts[note, words]]
        )
    }

    private func changeOperator(_ call: ConsoleCall) async throws -> ConsoleReply {
        do {
            var change = OperatorChange()
            change.role = call.form["role"].flatMap { OperatorRole(rawValue: $0) }
            change.isDisabled = call.form["disabled"].map { $0 == "yes" }
            _ = try await store.updateOperator(call.id(of: "operator"), change, by: call.owner().actor)
            return .redirect("/console/operators?done=operator_changed")
        } catch let failure as Failure where failure.code == .conflict {
            return .page(try await operatorsPage(call, refused: failure))
        }
    }

    private func sessionsPage(_ call: ConsoleCall) async throws -> Page {
        let sessions = try await store.sessions(.all, call.listPage("sessions"))
        return Page(
            template: "sessions",
            part: .operators,
            title: call.texts["operators.sessions"],
            values: [
                "tab_sessions": true, "sessions": sessions.items.map { values($0, call) },
                "pager": call.pager("sessions", next: sessions.next),
            ]
        )
    }

    /// A session as lists show it.
    func values(_ session: OperatorSession, _ call: ConsoleCall) -> PageValues {
        [
            "session_id": session.id.description, "session_owner": session.owner.name,
            "session_address": session.address.isEmpty ? call.texts["common.none"] : session.address,
            "session_browser": BrowserName.of(session.userAgent) ?? call.texts["operators.other_browser"],
            "session_agent": session.userAgent, "session_began": PageValues.time(session.createdAt),
            "session_used": PageValues.time(session.usedAt),
            "session_current": session.id == call.session?.session.id,
        ]
    }
}

/// What a browser calls itself, as people know it: the first name that its header field has of these.
enum BrowserName {
    private static let names = [
        ("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("CriOS/", "Chrome"),
        ("FxiOS/", "Firefox"), ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
        ("Mac OS X", "macOS"), ("Linux", "Linux"),
    ]

    /// Such as *Firefox, Linux*; `nil` where none of them is in it.
    static func of(_ agent: String) -> String? {
        let parts = [names, systems].compactMap { list in list.first { agent.contains($0.0) }?.1 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
