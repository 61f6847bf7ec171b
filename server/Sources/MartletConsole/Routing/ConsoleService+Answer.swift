import Foundation
package import HTTPTypes
package import Hummingbird
import Logging
import MartletCore
import MartletPipeline
import MartletWire
import NIOCore

extension ConsoleService {
    /// Every path that there is something at.
    package var paths: [(method: HTTPRequest.Method, path: String)] {
        (routes + formRoutes).map { (method: $0.method, path: $0.place) }
    }

    /// Adds every path to a router, beside those of other interfaces.
    package func addRoutes(to router: Router<some ConsoleRequestContext>) {
        for route in routes + formRoutes + missingRoutes {
            router.on(RouterPath(route.place), method: route.method) { request, context in
                let reader = RequestReader(request: request, isSecure: request.isSecure)
                return await ViewerZone.$current.withValue(reader.zone) {
                    await answer(route, request, reader, context)
                }
            }
        }
    }

    private func answer(
        _ route: ConsoleRoute,
        _ request: Request,
        _ reader: RequestReader,
        _ context: some ConsoleRequestContext
    ) async -> Response {
        let texts = Texts(preferred: reader.languages)
        var call = ConsoleCall(
            session: nil,
            texts: texts,
            uri: Link.local(request.uri.description),
            query: FormValues(),
            form: FormValues(),
            parameters: context.parameters.reduce(into: [:]) { $0[String($1.key)] = Self.decoded($1.value) },
            browser: OperatorService.Browser(
                address: settings.client(context.peer, request.headers[values: Self.forwardedFor]),
                userAgent: request.headers[.userAgent] ?? "",
                secret: reader.browserSecret
            ),
            connection: context.connection,
            lastEventID: request.headers[Self.lastEventID]
        )
        do {
            call.query = try FormValues(urlEncoded: request.uri.query ?? "")
            call.session = try await session(reader)
            if call.session != nil { call.problems = (try? await problems.problems().count) ?? 0 }
            context.note(key: call.session.map { "operator \($0.owner.name)" })
            if let refusal = refusal(route, call) {
                let kept = await keptWithoutSession(route, request, context, reader, call)
                return response(kept.map(ConsoleReply.page) ?? refusal, call, reader)
            }
            if route.method == .post {
                guard reader.isFromOwnPage else { throw Self.foreignForm(call.texts) }
                call.form = try await readForm(request, context, reader, limit: limit(of: route))
                if let kept = try tokenRefusal(route, request, reader, call) {
                    return response(.page(kept), call, reader)
                }
            }
            return response(try await route.answer(call), call, reader)
        } catch {
            return response(.page(errorPage(for: error, call, context)), call, reader)
        }
    }

    /// A parameter of a path. No database takes a NUL.
    private static func decoded(_ text: Substring) -> String {
        (text.removingPercentEncoding ?? String(text)).replacing("\0", with: "")
    }

    private func session(_ reader: RequestReader) async throws -> ConsoleSession? {
        guard let secret = reader.sessionSecret, let session = try await operators.session(secret) else { return nil }
        return ConsoleSession(session: session, secret: secret)
    }

    /// Why a route is not answered, where it is not for who asks.
    private func refusal(_ route: ConsoleRoute, _ call: ConsoleCall) -> ConsoleReply? {
        guard case .operators(let act) = route.access else { return nil }
        guard let session = call.session else {
            let next = route.method == .get ? call.uri : "/console"
            return .redirect("/console/sign-in?" + Link.query(["next": next]))
        }
        guard session.owner.role.may(act) else {
            let failure = Failure(
                .forbidden,
                call.texts["error.role", ["role": call.texts["role.\(session.owner.role.rawValue)"]]],
                hint: call.texts["error.role_hint"]
            )
            return .page(errorPage(for: failure, call))
        }
        return nil
    }

    /// The largest form of a route, in bytes.
    private func limit(of route: ConsoleRoute) -> Int {
        if route.access == .open { return Self.openFormLimit }
        return route.takesFile ? settings.fileLimit : settings.formLimit
    }

    /// The largest form of whoever has not signed in: a name and passwords. Ours.
    private static let openFormLimit = 16 * 1024

    /// Reads a form as far as this many bytes.
    func readForm(
        _ request: Request,
        _ context: some ConsoleRequestContext,
        _ reader: RequestReader,
        limit: Int
    ) async throws -> FormValues {
        let body = try await context.collect(request.body, limit: limit)
        guard reader.isMultipart else { return try FormValues(urlEncoded: body) }
        return try FormValues(multipart: body, boundary: reader.boundary ?? "")
    }

    private static let lastEventID = HTTPField.Name("Last-Event-ID")!  // a literal

    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")!  // a literal

    static func foreignForm(_ texts: Texts) -> Failure {
        Failure(.forbidden, texts["error.csrf"], hint: texts["error.csrf_hint"])
    }

    // MARK: Errors

    /// What went wrong and what to do, as a page.
    private func errorPage(for error: any Error, _ call: ConsoleCall, _ context: some ConsoleRequestContext) -> Page {
        let failure =
            switch error {
            case let failure as Failure: failure
            case is CancellationError: Failure(.overloaded, call.texts["error.stopping"])
            default: Failure(.internalError, "")
            }
        context.note(code: failure.code.rawValue)
        if failure.code == .internalError {
            context.logger.error("a page failed", metadata: ["error": "\(error)"])
        }
        return errorPage(for: failure, call, id: context.id)
    }

    /// A form that failed can be sent again from here with all that was in it, but for secrets.
    func errorPage(for failure: Failure, _ call: ConsoleCall, id: String = "") -> Page {
        let isOurs = failure.code == .internalError
        var said = failure
        if isOurs {
            said.detail.message = call.texts["error.internal"]
            said.detail.hint = call.texts["error.internal_hint", ["id": id]]
        }
        let words = FailureWords(said.advising(call.texts["error.gone_hint"]), call.texts)
        let fields = call.form.pairs(without: FormValues.unkept)
        let values: PageValues = [
            "message": words.message, "hint": words.hint.asList, "english": words.english,
            "field": failure.detail.field ?? "", "has_field": failure.detail.field != nil,
            "may_repeat": !fields.isEmpty && failure.code != .forbidden, "action": call.uri,
            "fields": fields.map { ["name": $0.name, "value": $0.value] as PageValues },
            "lists": failure.code == .notFound ? pages.list(at: call).asList : [],
        ]
        let page = Page(template: "error", title: call.texts["error.title"], values: values)
        return Page(
            template: page.template,
            title: page.title,
            values: page.values,
            status: failure.code.consoleStatus
        )
    }

    // MARK: Answers

    private func response(_ reply: ConsoleReply, _ call: ConsoleCall, _ reader: RequestReader) -> Response {
        var response: Response
        switch reply {
        case .page(let page): response = self.response(of: page, call)
        case .redirect(let place): response = Self.redirect(place)
        case .other(let other): response = other
        case .sent(let id):
            response = Self.redirect("/console/notifications/\(id)?done=\(Self.sentWord)")
            response.headers[.setCookie] = reader.sentCookie(id)
        case .signedIn(let signedIn, let place):
            response = Self.redirect(place)
            response.headers[values: .setCookie] = [
                reader.cookie(signedIn.secret), reader.browserCookie(signedIn.browser),
            ]
        case .signedOut(let place):
            response = Self.redirect(place)
            response.headers[.setCookie] = reader.cookie(nil)
        }
        if let language = call.query["lang"], Texts.languages.contains(language) {
            response.headers.append(HTTPField(name: .setCookie, value: reader.languageCookie(language)))
        }
        if let zone = call.query["times_in"].flatMap(ViewerZone.named) {
            response.headers.append(HTTPField(name: .setCookie, value: reader.zoneCookie(zone)))
        }
        SecurityHeaders.add(to: &response.headers)
        return response
    }

    private static func redirect(_ place: String) -> Response {
        Response(status: .seeOther, headers: [.location: Link.local(place)])
    }

    private func response(of page: Page, _ call: ConsoleCall) -> Response {
        let text = pages.render(page, call)
        let headers: HTTPFields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"]
        return Response(status: page.status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

extension ErrorCode {
    /// The status of a page that shows this error.
    var consoleStatus: HTTPResponse.Status {
        switch self {
        case .malformedRequest, .unknownField: .badRequest
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .conflict: .conflict
        case .bodyTooLarge, .payloadTooLarge: .contentTooLarge
        case .tooManyRequests: .tooManyRequests
        case .overloaded: .serviceUnavailable
        case .internalError: .internalServerError
        default: .unprocessableContent
        }
    }
}
