package import Foundation
package import MartletWire
package import PushNotificationSDKCore

/// A server that answers as a test says and writes down what it was asked.
package final class ScriptedTransport: HTTPTransport {
    /// Makes an answer from a request and its number, from 0.
    package typealias Script = @Sendable (HTTPCall, Int) async -> Result<HTTPAnswer, TransportError>

    /// Sends the bytes of an answer that does not end by itself, and ends it.
    package typealias StreamScript =
        @Sendable (HTTPCall, Int, _ take: @escaping @Sendable (Data) -> Bool) async -> Result<
            HTTPAnswer, TransportError
        >

    private let script: Locked<Script>
    private let streamScript = Locked<StreamScript?>(nil)
    private let number = Locked(0)
    private let streamNumber = Locked(0)
    /// The requests, in order.
    package let calls = Journal<HTTPCall>()
    /// The streams that were opened, in order.
    package let streams = Journal<HTTPCall>()

    /// A server with a script.
    package init(_ script: @escaping Script) {
        self.script = Locked(script)
    }

    /// A server that gives these answers, one after the other and the last one for ever.
    package convenience init(_ answers: Result<HTTPAnswer, TransportError>...) {
        self.init { _, index in answers[min(index, answers.count - 1)] }
    }

    /// Changes the script.
    package func answer(_ script: @escaping Script) {
        self.script.with { $0 = script }
    }

    package func send(_ call: HTTPCall) async throws(TransportError) -> HTTPAnswer {
        let index = number.with { number in
            defer { number += 1 }
            return number
        }
        calls.add(call)
        return try await script.with { $0 }(call, index).get()
    }

    /// Sets what becomes of streams; they are numbered from 0.
    package func stream(_ script: @escaping StreamScript) {
        streamScript.with { $0 = script }
    }

    package func stream(
        _ call: HTTPCall,
        idle: TimeInterval,
        take: @escaping @Sendable (Data) -> Bool
    ) async throws(TransportError) -> HTTPAnswer {
        let index = streamNumber.with { number in
            defer { number += 1 }
            return number
        }
        streams.add(call)
        guard let script = streamScript.with({ $0 }) else { throw .unreachable("no stream") }
        return try await script(call, index, take).get()
    }
}

extension HTTPAnswer {
    /// An answer with a JSON body.
    package static func json(_ status: Int, _ body: some Encodable, headers: [String: String] = [:]) -> HTTPAnswer {
        let bytes = (try? JSONEncoder().encode(body)) ?? Data()
        return HTTPAnswer(status: status, headers: headers, body: bytes)
    }

    /// The server's error answer.
    package static func error(
        _ status: Int,
        _ code: ErrorCode,
        _ message: String = "No.",
        headers: [String: String] = [:]
    ) -> HTTPAnswer {
        json(status, ErrorBody(.init(code: code, message: message)), headers: headers)
    }
}

extension ScriptedTransport {
    /// A server that takes every registration.
    ///
    /// - Parameter secret: issued to an installation that presents none.
    package static func registering(secret: String? = "mi_secret") -> ScriptedTransport {
        ScriptedTransport { call, _ in .success(.registered(by: call, secret: secret)) }
    }
}

extension HTTPAnswer {
    /// What the server answers to a registration that it takes.
    package static func registered(by call: HTTPCall, secret: String? = "mi_secret") -> HTTPAnswer {
        guard let body = call.body,
            let request = try? JSONDecoder().decode(TokenRegistrationRequest.self, from: body)
        else { return .error(400, .malformedRequest) }
        let isKnown = call.headers[HeaderName.installationSecret] != nil
        let response = TokenRegistrationResponse(
            endpointID: PublicID(high: 1, low: 2),
            installationID: request.installationID,
            installationSecret: isKnown ? nil : secret,
            userID: request.userID.value,
            platform: .ios,
            provider: request.provider ?? .apns,
            environment: nil,
            isActive: true,
            createdAt: UTCTime(milliseconds: 1),
            registeredAt: UTCTime(milliseconds: 2)
        )
        return .json(isKnown ? 200 : 201, response)
    }
}

extension HTTPCall {
    /// The registration that this request carries.
    package var registration: TokenRegistrationRequest? {
        body.flatMap { try? JSONDecoder().decode(TokenRegistrationRequest.self, from: $0) }
    }
}
