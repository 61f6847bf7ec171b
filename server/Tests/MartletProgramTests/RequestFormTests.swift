import Foundation
import MartletTesting
import Testing

/// Requests as they stand on the wire.
@Suite struct RequestFormTests {
    @Test("a request of HTTP/1.1 without a Host, or with two, is refused; one of HTTP/1.0 needs none")
    func hosts() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        let cases = [
            ("HTTP/1.1\r\nConnection: close\r\n\r\n", 400),
            ("HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n", 400),
            ("HTTP/1.1\r\nhost: a\r\nHOST: b\r\nConnection: close\r\n\r\n", 400),
            ("HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200),
            ("HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n", 200),
            ("HTTP/1.0\r\nConnection: close\r\n\r\n", 200),
            ("HTTP/1.0\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n", 400),
        ]
        for path in ["/healthz", "/api/v1/apps", "/"] {
            for (rest, status) in cases where path == "/healthz" || status == 400 {
                let answer = try await RawCall.send("GET \(path) \(rest)", to: server)
                #expect(RawCall.status(of: answer) == status, "\(path) \(rest) \(answer)")
                #expect(answer.contains(#""code":"malformed_request""#) == (status == 400), "\(answer)")
            }
        }
    }

    @Test("a path with an empty segment is no path, whatever stands without it")
    func emptySegments() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        let key = try server.key()
        let cases = [
            ("//api/v1/apps", 404), ("/api//v1/apps", 404), ("/api/v1//apps", 404), ("/api/v1/apps/", 404),
            ("/api/v1/apps//", 404), ("//healthz", 404), ("/healthz/", 404), ("//", 404), ("/openapi.json/", 404),
            ("http://a//api/v1/apps", 404), ("/api/v1/apps", 200), ("/api/v1/apps?limit=1", 200),
            ("http://a/api/v1/apps", 200), ("/healthz", 200),
        ]
        for (path, status) in cases {
            let fields = "Host: a\r\nAuthorization: Bearer \(key)\r\nConnection: close\r\n\r\n"
            let answer = try await RawCall.send("GET \(path) HTTP/1.1\r\n\(fields)", to: server)
            #expect(RawCall.status(of: answer) == status, "\(path) \(answer)")
        }
    }

    @Test("who writes a slash behind the console's address is led to it with the query that they asked for")
    func consoleSlash() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        for query in ["", "?period=month", "?app=shop&period=hour"] {
            let head = "GET /console/\(query) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            let answer = try await RawCall.send(head, to: server)
            #expect(RawCall.status(of: answer) == 302, "\(answer)")
            #expect(answer.lowercased().contains("\r\nlocation: /console\(query)\r\n"), "\(answer)")
        }
    }

    @Test("a method that a path does not take is refused with those that it takes, whichever interface it is of")
    func methods() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        let paths = [
            ("/", "get, head, post"), ("/console", "get, head"), ("/console/compose", "get, head, post"),
            ("/console/apps/a/rename", "get, head, post"), ("/healthz", "get, head"),
        ]
        for method in ["PUT", "OPTIONS"] {
            for (path, allowed) in paths {
                let head = "\(method) \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                let answer = try await RawCall.send(head, to: server)
                #expect(RawCall.status(of: answer) == 405, "\(answer)")
                #expect(answer.lowercased().contains("\r\nallow: \(allowed)\r\n"), "\(answer)")
            }
        }
    }

    @Test("a request that its client breaks off is no error of the server's")
    func aborted() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(data: folder.path)
        let key = try server.key()
        let paths = ["/", "/api/v1/notifications", "/api/v1/apps"]
        for path in paths {
            let type = path == "/" ? "application/x-www-form-urlencoded" : "application/json"
            let head = """
                POST \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(key)\r\nContent-Type: \(type)\r\n\
                Content-Length: 1000\r\n\r\n{"name"
                """
            _ = try await RawCall.send(head, to: server, isAborted: true)
        }
        var text = ""
        for path in paths {
            try await Eventually.is("\(path) is counted", within: 30) {
                let metrics = try await LocalCall.send("GET", server.address + "/metrics")
                text = String(decoding: metrics.body, as: UTF8.self)
                return text.contains(#"martlet_http_requests_total{method="POST",route="\#(path)""#)
            }
        }
        #expect(!text.contains(#"status="5"#), "\(text)")
        let result = try await server.stop()
        #expect(!result.standardError.contains(" error "), "\(result.standardError)")
    }
}
