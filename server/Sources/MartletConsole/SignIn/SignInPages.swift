import HTTPTypes
import MartletCore
import MartletPipeline
import MartletWire

/// Signing in and out, and the one-time link by which an operator chooses a password.
extension ConsoleService {
    var signInRoutes: [ConsoleRoute] {
        [
            ConsoleRoute(method: .get, path: "/sign-in", access: .open) { call in
                if call.session != nil { return .redirect(Link.local(call.query["next"] ?? "/console")) }
                return .page(signInPage(call))
            },
            ConsoleRoute(method: .post, path: "/sign-in", access: .open, answer: signIn),
            .post("/sign-out", .manageOwnAccount) { call in
                if let session = call.session { try await operators.signOut(session.session) }
                return .signedOut(redirect: "/console/sign-in?done=signed_out")
            },
            ConsoleRoute(method: .get, path: "/invitations/{token}", access: .open) { call in
                .page(try await invitationPage(call))
            },
            ConsoleRoute(method: .post, path: "/invitations/{token}", access: .open, answer: redeem),
        ]
    }

    private func signInPage(_ call: ConsoleCall, name: String = "", failure: Failure? = nil) -> Page {
        let shown = String(name.unicodeScalars.prefix(Operator.nameLimit))
        var values: PageValues = ["next": call.query["next"] ?? "", "name": shown]
        values.show(failure, call.texts)
        return Page(
            template: "sign_in",
            title: call.texts["sign_in.title"],
            values: values,
            status: failure?.code.consoleStatus ?? .ok
        )
    }

    private func signIn(_ call: ConsoleCall) async throws -> ConsoleReply {
        let name = call.form["name"] ?? ""
        do {
            let signedIn = try await operators.signIn(
                name: name,
                password: call.form.raw("password"),
                from: call.browser
            )
            return .signedIn(signedIn, redirect: call.query["next"] ?? "/console")
        } catch let failure as Failure where failure.code != .internalError {
            return .page(signInPage(call, name: name, failure: failure))
        }
    }

    private func invitationPage(_ call: ConsoleCall, failure: Failure? = nil) async throws -> Page {
        guard let invitation = try await operators.invitation(token: call.parameter("token")) else {
            throw Failure.invitationIsOver
        }
        let words = ["name": invitation.name, "role": call.texts["role.\(invitation.role.rawValue)"]]
        let (welcome, note) =
            invitation.isPasswordReset
            ? ("invitation.reset", "invitation.reset_note") : ("invitation.welcome", "invitation.role")
        var values: PageValues = [
            "welcome": call.texts[welcome, words], "role_note": call.texts[note, words], "name": invitation.name,
        ]
        values.show(failure, call.texts)
        return Page(
            template: "invitation",
            title: call.texts["invitation.title"],
            values: values,
            status: failure?.code.consoleStatus ?? .ok
        )
    }

    private func redeem(_ call: ConsoleCall) async throws -> ConsoleReply {
        let password = call.form.raw("password")
        do {
            guard password == call.form.raw("again") else {
                throw Failure.invalid("again", call.texts["invitation.different"])
            }
            let signedIn = try await operators.redeem(
                token: call.parameter("token"),
                password: password,
                from: call.browser
            )
            return .signedIn(signedIn, redirect: "/console?done=welcome")
        } catch let failure as Failure where [.invalidValue, .overloaded].contains(failure.code) {
            return .page(try await invitationPage(call, failure: failure))
        }
    }
}
