import Foundation
import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// What every operator has: their password and their sessions.
extension ConsoleService {
    var accountRoutes: [ConsoleRoute] {
        [
            .get("/account", .manageOwnAccount) { call in .page(try await accountPage(call)) },
            .post("/account/password", .manageOwnAccount, changePassword),
            .post("/account/sessions/{id}/end", .manageOwnAccount) { call in
                let owner = try call.owner()
                let ending = SessionEnding.one(try call.id(of: "session"), of: owner.row)
                _ = try await store.endSessions(ending, by: owner.actor)
                return .redirect("/console/account?done=session_ended")
            },
            .post("/account/end-others", .manageOwnAccount) { call in
                let owner = try call.owner()
                let ending = SessionEnding.all(of: owner.row, but: call.session?.session.row)
                _ = try await store.endSessions(ending, by: owner.actor)
                return .redirect("/console/account?done=sessions_ended")
            },
        ]
    }

    private func accountPage(_ call: ConsoleCall, failure: Failure? = nil) async throws -> Page {
        let owner = try call.owner()
        let sessions = try await store.sessions(.of(owner.row), PageRequest(count: OperatorSession.limit))
        var values: PageValues = [
            "account_name": owner.name, "account_note": call.texts["operators.may_\(owner.role.rawValue)"],
            "sessions": sessions.items.reversed().map { self.values($0, call) },
            "has_others": sessions.items.count > 1,
            "zones": ["UTC"] + TimeZone.knownTimeZoneIdentifiers.filter { $0.contains("/") },
        ]
        values.show(failure, call.texts)
        return Page(
            template: "account",
            title: call.texts["operators.account"],
            values: values,
            refused: failure
        )
    }

    private func changePassword(_ call: ConsoleCall) async throws -> ConsoleReply {
        guard let session = call.session else { throw Failure(.unauthorized, "Nobody is signed in.") }
        let password = call.form.raw("password")
        do {
            guard password == call.form.raw("again") else {
                throw Failure.invalid("again", call.texts["invitation.different"])
            }
            try await operators.changePassword(
                of: session.session,
                from: call.form.raw("current"),
                to: password,
                in: call.browser
            )
            return .redirect("/console/account?done=password_changed")
        } catch let failure as Failure where failure.code == .unauthorized {
            let wrong = Failure(.invalidValue, call.texts["operators.wrong_password"], field: "current")
            return .page(try await accountPage(call, failure: wrong))
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try await accountPage(call, failure: failure))
        }
    }
}
