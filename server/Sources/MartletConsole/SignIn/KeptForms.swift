import HTTPTypes
import Hummingbird
import MartletCore
import MartletWire

/// Forms that came after their session had ended, or with the token of an earlier one. Nothing of them is done; a page has all
/// that was written, and whoever wrote it sends it once more. Another site's form gets no such page: it would only need a press
/// to be one's own.
extension ConsoleService {
    /// A form of a page of ours that nobody is signed in for any more, as the page that keeps it; `nil` for all else.
    func keptWithoutSession(
        _ route: ConsoleRoute,
        _ request: Request,
        _ context: some ConsoleRequestContext,
        _ reader: RequestReader,
        _ call: ConsoleCall
    ) async -> Page? {
        guard call.session == nil, route.keepsForm, reader.isSurelyFromOwnPage else { return nil }
        var call = call
        // Anybody may send this, and reading and showing it costs the server more than sending it costs them.
        let limit = min(settings.formLimit, Self.keptLimit)
        guard let form = try? await readForm(request, context, reader, limit: limit) else { return nil }
        call.form = form
        return keptPage(call, reader)
    }

    /// The most bytes of a form that are kept without a session. Ours: a list of some thousand people.
    private static let keptLimit = 128 * 1024

    /// What is answered to a form without its session's token; `nil` where it has it.
    ///
    /// - Throws: `Failure` with ``ErrorCode/forbidden`` where the form is not kept.
    func tokenRefusal(
        _ route: ConsoleRoute,
        _ request: Request,
        _ reader: RequestReader,
        _ call: ConsoleCall
    ) throws -> Page? {
        let token = request.headers[Self.csrfHeader] ?? call.form.raw("csrf")
        guard let session = call.session, !session.secret.accepts(csrfToken: token) else { return nil }
        guard route.keepsForm, reader.isSurelyFromOwnPage, let page = keptPage(call, reader) else {
            throw Self.foreignForm(call.texts)
        }
        return page
    }

    /// Where the page's script puts the token, which forms have in the field `csrf`.
    private static let csrfHeader = HTTPField.Name("X-CSRF-Token")!  // a literal

    /// The page that keeps a form. It has no secrets; a form that would be another one without what is not kept has none: one
    /// with a secret, or with a file, but for those of which the person sees everything again before anything is done.
    private func keptPage(_ call: ConsoleCall, _ reader: RequestReader) -> Page? {
        let (form, texts) = (call.form, call.texts)
        let isShownAgain = !form.files.isEmpty && form["do"] != nil
        guard !form.hasSecrets, form.files.isEmpty || isShownAgain else { return nil }
        let fields = form.pairs(without: FormValues.unkept).map { name, value in
            ["name": name, "value": isShownAgain && name == "do" ? "edit" : value] as PageValues
        }
        let owner = call.session?.owner
        let state = owner == nil ? "signed_out" : "signed_in"
        return Page(
            template: "kept_form",
            title: texts["kept.title_\(state)"],
            values: [
                "message": texts["kept.\(state)", ["name": owner?.name ?? ""]], "hint": texts["kept.\(state)_hint"],
                "is_signed_out": owner == nil, "has_lost_file": isShownAgain, "action": call.uri, "fields": fields,
                "is_multipart": reader.boundary != nil,
            ],
            status: owner == nil ? .unauthorized : .forbidden
        )
    }
}

extension ConsoleRoute {
    /// Whether its form is kept when its session has ended: not who signs out or in.
    fileprivate var keepsForm: Bool { method == .post && access != .open && path != "/sign-out" }
}

extension FormValues {
    /// What no page has again.
    static let unkept: Set = ["csrf", "password", "again", "current", "secret", "certificate"]

    /// Whether a secret was filled in.
    fileprivate var hasSecrets: Bool { Self.unkept.contains { $0 != "csrf" && !raw($0).isEmpty } }
}
