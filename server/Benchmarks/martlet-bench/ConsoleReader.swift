import AsyncHTTPClient
import Foundation
import MartletTesting
import NIOCore
import NIOHTTP1

/// An operator with a browser.
struct ConsoleReader {
    /// The server's address.
    let address: String
    /// The session's, as a browser sends it.
    let cookie: String

    private static let password = "a-password-of-the-benchmark"
    private static let limit = 64 << 20

    /// Opens an invitation's link, which ends it, and is signed in.
    static func invited(by link: String) throws -> ConsoleReader {
        guard let url = URL(string: link), let port = url.port else { throw BenchmarkError("no link: \(link)") }
        let connection = try RawConnection(port: UInt16(port))
        let form = "password=\(password)&again=\(password)"
        try connection.send(
            """
            POST \(url.path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n\
            Content-Length: \(form.utf8.count)\r\n\r\n\(form)
            """
        )
        let head = connection.read(until: "\r\n\r\n", seconds: 30)
        let names = "set-cookie: "
        guard let line = head.components(separatedBy: "\r\n").first(where: { $0.lowercased().hasPrefix(names) }),
            let cookie = line.dropFirst(names.count).split(separator: ";").first
        else { throw BenchmarkError("nobody was signed in: \(head.prefix(500))") }
        return ConsoleReader(address: "http://127.0.0.1:\(port)", cookie: String(cookie))
    }

    /// Reads a page; how many bytes it has.
    func page(_ path: String) async throws -> Int {
        var request = HTTPClientRequest(url: address + "/console" + path)
        request.headers.add(name: "Cookie", value: cookie)
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let body = try await response.body.collect(upTo: Self.limit)
        // Who is not signed in is led to a page that is answered with 200 too.
        guard response.status == .ok, String(buffer: body).contains("/console/sign-out") else {
            throw BenchmarkError("\(path): \(response.status) \(String(buffer: body).prefix(500))")
        }
        return body.readableBytes
    }

    /// Sends a form, with the token of the page that it is on; how many bytes the answer has.
    func send(_ fields: [String: String], to path: String) async throws -> Int {
        var request = HTTPClientRequest(url: address + "/console/compose")
        request.headers.add(name: "Cookie", value: cookie)
        let page = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let text = String(buffer: try await page.body.collect(upTo: Self.limit))
        guard let found = text.firstMatch(of: /name="csrf" value="([^"]*)"/) else { throw BenchmarkError("no token") }
        var form = URLComponents()
        form.queryItems = (fields.merging(["csrf": String(found.1)]) { $1 }).map {
            URLQueryItem(name: $0.key, value: $0.value)
        }
        request.url = address + "/console" + path
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: form.percentEncodedQuery ?? ""))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let body = try await response.body.collect(upTo: Self.limit)
        guard response.status == .ok else {
            throw BenchmarkError("\(path): \(response.status) \(String(buffer: body).prefix(500))")
        }
        return body.readableBytes
    }

    /// Opens the stream of a notification's page.
    func stream(of notification: String) throws -> RawConnection {
        guard let port = URL(string: address)?.port else { throw BenchmarkError("no port") }
        let connection = try RawConnection(port: UInt16(port))
        try connection.send(
            "GET /console/notifications/\(notification)/live HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookie)\r\n\r\n"
        )
        let answer = connection.read(until: "retry:", seconds: 10)
        guard answer.contains("text/event-stream") else { throw BenchmarkError("no stream: \(answer.prefix(300))") }
        return connection
    }
}
