import Foundation
import HTTPTypes
import Testing

@testable import MartletCore
@testable import MartletSNS

/// Requests that curl signs, which has its own way with the parts of a request: kept by a server on loopback.
@Suite("curl")
struct CurlTests {
    @Test("signs requests that are accepted, and with another secret are not")
    func signs() throws {
        let calls = [
            ["-d", "Action=ListTopics&Version=2010-03-31", ""],
            ["-d", "Action=Publish", "--data-urlencode", "Message=a b+\u{E9}", "/"],
            ["/?Action=ListTopics&Version=2010-03-31"],
            ["/?Action=Publish&Message=a%20b%2Bc&Version=2010-03-31"],
            ["-H", "X-Other: value", "-d", "Action=ListTopics", "/"],
        ]
        let output = try Botocore.output(Self.program, JSONEncoder().encode(calls))
        let sent = try JSONDecoder().decode([Botocore.Sent].self, from: output)
        try #require(sent.count == calls.count)
        for sent in sent {
            let request = sent.request
            let now = try #require(request.fields[.amzDate])
            #expect(try RequestSigner.refusal(request, secret: CapturedCall.secret, at: now) == nil, "\(sent.target)")
            #expect(try RequestSigner.refusal(request, secret: "x", at: now) == .signatureMismatch)
            _ = try FormParameters(query: request.query, body: request.body).action()
        }
        let publish = try FormParameters(query: "", body: sent[1].request.body)
        #expect(try publish.string("Message") == "a b+\u{E9}")
    }

    private static let program = """
        import base64, http.server, json, subprocess, sys, threading
        sent = []
        class Keep(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                sent.append({"method": self.command, "target": self.path, "host": self.headers["Host"],
                             "headers": [list(pair) for pair in self.headers.items()], "body": base64.b64encode(body).decode()})
                self.send_response(200); self.send_header("Content-Length", "0"); self.end_headers()
            do_POST = do_GET
            def log_message(self, *_): pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Keep)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        root = "http://127.0.0.1:%d" % server.server_port
        for arguments in json.load(open(sys.argv[1])):
            subprocess.run(["curl", "-s", "--aws-sigv4", "aws:amz:eu-central-1:sns", "--user",
                            "\(CapturedCall.keyID):\(CapturedCall.secret)"] + arguments[:-1] + [root + arguments[-1]],
                           check=True, timeout=60)
        print(json.dumps(sent))
        """
}
