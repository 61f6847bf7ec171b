import Foundation
import MartletTesting

/// Requests that are none, or that a proxy before the server may read in another way than the server (request smuggling):
/// each is refused or closed, and nothing behind it is answered.
enum Requests {
    static func run(_ victim: Victim) throws -> Tally {
        var tally = Tally("malformed requests")
        for (what, text) in refused(victim.port) {
            let answer = try answer(victim, text)
            // One refusal at most, and no answer to what was hidden behind it.
            let answers = answer.components(separatedBy: "HTTP/1.1 ").count - 1
            let status = RawAnswer(answer).status
            tally.attempt(
                heldOff: answers <= 1 && !(200..<300).contains(status) && status < 500 || status == 501
                    || status == 505,
                "\(what): \(answer.prefix(60)), \(answers) answers"
            )
        }
        for path in paths {
            let answer = try victim.call("GET", path, bearer: victim.credentials[.client])
            tally.attempt(
                heldOff: [0, 400, 401, 403, 404, 405].contains(answer.status),
                "GET \(path): \(answer.status) \(answer.body.prefix(80))"
            )
        }
        let alive = try victim.call("GET", "/healthz")
        tally.attempt(heldOff: alive.status == 200, "/healthz answers \(alive.status) afterwards")
        return tally
    }

    private static func answer(_ victim: Victim, _ text: String) throws -> String {
        let connection = try RawConnection(port: victim.port)
        // A server that refuses early closes while the rest is on its way.
        try? connection.send(text)
        return connection.read(seconds: 0.3)
    }

    private static let hidden = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func refused(_ port: UInt16) -> [(String, String)] {
        func get(_ fields: String, version: String = "HTTP/1.1", path: String = "/healthz") -> String {
            "GET \(path) \(version)\r\n\(fields)\r\n"
        }
        func post(_ fields: String, _ body: String) -> String {
            "POST /api/v1/notifications HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\(body)"
        }
        let chunked = "Transfer-Encoding: chunked\r\n"
        return [
            ("no Host", get("")),
            ("two Hosts", get("Host: a\r\nHost: b\r\n")),
            ("an empty Host and another", get("Host:\r\nHost: b\r\n")),
            ("a Host with a space", get("Host: a b\r\n")),
            ("a Host with a slash", get("Host: a/b\r\n")),
            ("a field name with a space before the colon", get("Host : a\r\n")),
            ("a folded field", get("Host: a\r\n b\r\n")),
            ("a field without a colon", get("Host: a\r\nnonsense\r\n")),
            ("a field without a name", get("Host: a\r\n: x\r\n")),
            ("a NUL in a field", get("Host: a\r\nX: a\0b\r\n")),
            ("a CR in a field", get("Host: a\r\nX: a\rb\r\n")),
            ("a NUL in the path", get("Host: a\r\n", path: "/health\0z")),
            ("no such version", get("Host: a\r\n", version: "HTTP/9.9")),
            ("no version", "GET /healthz\r\n\r\n"),
            ("no such protocol", get("Host: a\r\n", version: "SMTP/1.1")),
            ("HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
            ("a TLS hello", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{fc}\u{3}\u{3}"),
            ("a head of 100 KB", get("Host: a\r\nX: " + String(repeating: "x", count: 100_000) + "\r\n")),
            (
                "2,000 fields",
                get("Host: a\r\n" + (0..<2_000).map { "X-\($0): \(String(repeating: "y", count: 40))\r\n" }.joined())
            ),
            ("a path of 100 KB", get("Host: a\r\n", path: "/" + String(repeating: "a", count: 100_000))),
            ("two lengths", post("Content-Length: 5\r\nContent-Length: 6\r\n", "{}" + hidden)),
            ("a list of lengths", post("Content-Length: 5, 6\r\n", "{}" + hidden)),
            ("a negative length", post("Content-Length: -1\r\n", hidden)),
            ("a length with a sign", post("Content-Length: +2\r\n", "{}" + hidden)),
            ("a length in hexadecimal", post("Content-Length: 0x2\r\n", "{}" + hidden)),
            ("a length beyond all integers", post("Content-Length: 99999999999999999999999\r\n", hidden)),
            ("a length and chunks", post("Content-Length: 5\r\n" + chunked, "0\r\n\r\n" + hidden)),
            ("chunks and a length", post(chunked + "Content-Length: 5\r\n", "0\r\n\r\n" + hidden)),
            ("an unknown coding", post("Transfer-Encoding: identity, x\r\n", hidden)),
            ("chunked twice", post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n" + hidden)),
            ("chunked before another", post("Transfer-Encoding: chunked, gzip\r\n", "0\r\n\r\n" + hidden)),
            ("a chunk's size that is no number", post(chunked, "zz\r\n{}\r\n0\r\n\r\n" + hidden)),
            ("a chunk's size beyond all integers", post(chunked, "fffffffffffffffff\r\n{}\r\n0\r\n\r\n" + hidden)),
            ("a chunk longer than its size", post(chunked, "1\r\n{}\r\n0\r\n\r\n" + hidden)),
        ]
    }

    /// Other ways to write a path that is not for a client key, or that leave the interface.
    private static let paths = [
        "/api/v1/apps", "//api/v1/apps", "/api//v1/apps", "/api/v1//apps", "/api/v1/apps/", "/./api/v1/apps",
        "/api/v1/./apps", "/api/v1/tokens/../apps", "/api/v1/tokens/%2e%2e/apps", "/api/v1/%61pps", "/API/V1/APPS",
        "/api/v1/apps%2f", "/api/v1/apps%00", "/api/v1/apps;x=1", "/api/v1/apps?x=1", "/healthz/../api/v1/apps",
        "/healthz/%2e%2e/api/v1/apps", "http://other.example/api/v1/apps", "/..%2f..%2fetc/passwd", "/../../etc/passwd",
        "/api/v1/apps\\..", "/%", "/%zz", "/%c0%ae%c0%ae/", "*",
    ]
}
