import AsyncHTTPClient
public import Foundation
public import MartletWire
import NIOCore
import NIOHTTP1

/// Calls over HTTP to a process of the test's.
public enum LocalCall {
    /// An answer.
    public struct Answer: Sendable {
        /// The status.
        public var status: Int
        /// The body, at most 64 MiB.
        public var body: Data
    }

    /// Sends a request with a JSON body, if any, and waits at most 30 s for the answer.
    ///
    /// - Parameters:
    ///   - key: what is presented as bearer.
    ///   - idempotencyKey: what makes a repeated request the same one; not in a network of its own.
    ///   - network: where the process is, if in one of its own; the body has at most 64 KB then.
    public static func send(
        _ method: String,
        _ url: String,
        _ body: String? = nil,
        key: String? = nil,
        idempotencyKey: String? = nil,
        in network: NetworkNamespace? = nil
    ) async throws -> Answer {
        if let network { return try await send(method, url, body, key: key, through: network) }
        var request = HTTPClientRequest(url: url)
        request.method = HTTPMethod(rawValue: method)
        if let idempotencyKey { request.headers.add(name: HeaderName.idempotencyKey, value: idempotencyKey) }
        if let key { request.headers.add(name: "Authorization", value: "Bearer " + key) }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: body))
        }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let bytes = try await response.body.collect(upTo: 64 << 20)
        return Answer(status: Int(response.status.code), body: Data(bytes.readableBytesView))
    }

    private static func send(
        _ method: String,
        _ url: String,
        _ body: String?,
        key: String?,
        through network: NetworkNamespace
    ) async throws -> Answer {
        var arguments = ["-sS", "-m", "30", "-X", method, "-w", "\n%{http_code}"]
        if let key { arguments += ["-H", "Authorization: Bearer \(key)"] }
        if body != nil { arguments += ["-H", "Content-Type: application/json", "--data-binary", "@-"] }
        let command = network.command("/usr/bin/curl", arguments + [url])
        let curl = try ProgramProcess(command.arguments, executable: command.executable, input: body)
        let result = try await curl.result(within: 40)
        guard result.status == 0, let end = result.standardOutput.lastIndex(of: "\n"),
            let status = Int(result.standardOutput[end...].dropFirst())
        else { throw ProgramProcess.Failure(description: "\(method) \(url): \(result.standardError)") }
        return Answer(status: status, body: Data(result.standardOutput[..<end].utf8))
    }

    /// The same, for the JSON of an answer that is a success; `nil` where it has no body.
    ///
    /// - Throws: `ProgramProcess.Failure` with the answer when it is another one.
    @discardableResult
    public static func json(
        _ method: String,
        _ url: String,
        _ body: String? = nil,
        key: String? = nil,
        idempotencyKey: String? = nil,
        in network: NetworkNamespace? = nil
    ) async throws -> JSONValue? {
        let answer = try await send(method, url, body, key: key, idempotencyKey: idempotencyKey, in: network)
        guard (200..<300).contains(answer.status) else {
            let text = String(decoding: answer.body.prefix(2_000), as: UTF8.self)
            throw ProgramProcess.Failure(description: "\(method) \(url): \(answer.status) \(text)")
        }
        return answer.body.isEmpty ? nil : try JSONValue(json: answer.body)
    }
}
