import Foundation
import MartletWire

/// A request about what belongs to the user.
struct UserRequest: Sendable {
    var method: String
    /// The path behind `/api/v1/`.
    var path: String
    var query: [(name: String, value: String)] = []
    var body: Data?
    var headers: [String: String] = [:]
    var answerLimit = HTTPCall.answerLimit

    init(_ method: String, _ path: String) {
        self.method = method
        self.path = path
    }
}

/// Calls in the name of the user who is logged in: none is made where nobody is, and an answer that comes after somebody
/// else logged in is not given away.
final class UserCalls: Sendable {
    let context: ClientContext
    let tokens: UserTokens
    private let isClosed = Locked(false)

    init(_ context: ClientContext) {
        self.context = context
        tokens = UserTokens(context)
    }

    /// The user in whose name calls can be made.
    ///
    /// - Throws: ``PushNotificationError/loginRequired``.
    func user() throws(PushNotificationError) -> String {
        guard let user = context.identity.userID, tokens.isAvailable(for: user), !isClosed.with({ $0 }) else {
            throw .loginRequired
        }
        return user
    }

    /// Whether somebody is still the user.
    func isCurrent(_ user: String) -> Bool { context.identity.userID == user && !isClosed.with { $0 } }

    /// Makes no more calls: another client takes over.
    func close() { isClosed.with { $0 = true } }

    /// The server's answer, which is a success. After a 401 the app is asked for another token, once.
    ///
    /// - Throws: ``PushNotificationError``: `loginRequired`, `networkError`, `serverError`.
    func answer(to request: UserRequest, of user: String) async throws(PushNotificationError) -> HTTPAnswer {
        let (call, token) = try await call(request, of: user)
        let answer = try await RepeatedCall(call, in: context) { [self] in
            await renewed(call.headers, of: user, insteadOf: token)
        }.answer()
        guard isCurrent(user) else { throw .loginRequired }
        return answer
    }

    /// The answer's value.
    func value<Value: Decodable>(
        _ type: Value.Type,
        for request: UserRequest,
        of user: String
    ) async throws(PushNotificationError) -> Value {
        let answer = try await answer(to: request, of: user)
        if let value = answer.value(type) { return value }
        throw .serverError(statusCode: answer.status, message: "The answer is not what this version of the SDK reads.")
    }

    /// Opens an answer that does not end by itself, as `HTTPTransport` says it. After a 401 it is opened anew, once.
    ///
    /// - Throws: ``PushNotificationError``.
    func stream(
        _ request: UserRequest,
        of user: String,
        limits: (idle: TimeInterval, whole: TimeInterval),
        take: @escaping @Sendable (Data) -> Bool
    ) async throws(PushNotificationError) -> HTTPAnswer {
        var (call, token) = try await call(request, of: user)
        call.timeout = limits.whole
        let answer = try await opened(call, limits.idle, take)
        guard answer.status == 401, let headers = await renewed(call.headers, of: user, insteadOf: token) else {
            return answer
        }
        call.headers = headers
        return try await opened(call, limits.idle, take)
    }

    private func opened(
        _ call: HTTPCall,
        _ idle: TimeInterval,
        _ take: @escaping @Sendable (Data) -> Bool
    ) async throws(PushNotificationError) -> HTTPAnswer {
        do throws(TransportError) {
            return try await context.environment.transport.stream(call, idle: idle, take: take)
        } catch {
            throw .networkError(error)
        }
    }

    /// The call with what proves the user, which is asked for where there is nothing yet.
    private func call(_ request: UserRequest, of user: String) async throws(PushNotificationError) -> (HTTPCall, String)
    {
        let known = context.identity.userToken(of: user)
        let asked = known == nil ? await tokens.token(for: user, insteadOf: nil) : known
        guard let token = asked, isCurrent(user) else { throw .loginRequired }
        var headers = request.headers
        headers["Authorization"] = "Bearer \(token)"
        if headers["Accept"] == nil { headers["Accept"] = "application/json" }
        if request.body != nil { headers["Content-Type"] = "application/json" }
        let url = context.configuration.endpoint(request.path).adding(request.query)
        let call = HTTPCall(
            request.method,
            url,
            headers: headers,
            body: request.body,
            timeout: context.configuration.timeout,
            answerLimit: request.answerLimit
        )
        return (call, token)
    }

    private func renewed(
        _ headers: [String: String],
        of user: String,
        insteadOf token: String
    ) async -> [String: String]? {
        guard let new = await tokens.token(for: user, insteadOf: token) else { return nil }
        var headers = headers
        headers["Authorization"] = "Bearer \(new)"
        return headers
    }
}

extension HTTPAnswer {
    /// What the body says, by itself or as the `data` of an answer that holds one thing.
    func value<Value: Decodable>(_ type: Value.Type) -> Value? {
        let decoder = JSONDecoder()
        return (try? decoder.decode(type, from: body)) ?? (try? decoder.decode(Item<Value>.self, from: body))?.data
    }
}

extension URL {
    /// The address with a query.
    func adding(_ query: [(name: String, value: String)]) -> URL {
        guard !query.isEmpty, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        parts.queryItems = query.map { URLQueryItem(name: $0.name, value: $0.value) }
        // A plus sign stays as it is there, and servers read it as a space.
        parts.percentEncodedQuery = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        return parts.url ?? self
    }
}
