import HTTPTypes
import MartletPipeline
import MartletWire
import NIOEmbedded
import Testing

@testable import MartletConsole
@testable import MartletCore

extension ConsoleCall {
    /// A call of nobody for the first page.
    static var sample: ConsoleCall {
        ConsoleCall(
            session: nil,
            texts: Texts(preferred: ["en"]),
            uri: "/console?x=1",
            query: FormValues(),
            form: FormValues(),
            parameters: [:],
            browser: OperatorService.Browser(address: "192.0.2.1", userAgent: ""),
            connection: EmbeddedChannel()
        )
    }
}

@Suite("Forms and addresses") struct FormTests {
    @Test("a form's values are read as browsers write them")
    func values() throws {
        let form = try FormValues(urlEncoded: "a=1+2&b=%E6%97%A5&c=&a=second&d&e=%zz")
        #expect(form["a"] == "1 2" && form.all("a") == ["1 2", "second"])
        #expect(form["b"] == "日" && form["c"] == nil && form["d"] == nil && form["x"] == nil)
        #expect(form.raw("e") == "%zz")
        let many = (0...2_000).map { "n\($0)=x" }.joined(separator: "&")
        #expect(throws: Failure.self) { try FormValues(urlEncoded: many) }
    }

    @Test("a form with a file has the file's bytes and the other fields")
    func files() throws {
        let body = """
            --xYz\r\nContent-Disposition: form-data; name="title"\r\n\r\nHello\r\n\
            --xYz\r\nContent-Disposition: form-data; name="list"; filename="peo%22ple.csv"\r\n\
            Content-Type: text/csv\r\n\r\nann\r\n--x\r\nbob\r\n--xYz\r\n\
            Content-Disposition: form-data; name="empty"; filename=""\r\n\r\n\r\n--xYz--\r\n
            """
        let form = try FormValues(multipart: Array(body.utf8), boundary: "xYz")
        #expect(form["title"] == "Hello")
        #expect(form.files["list"]?.name == "peo\"ple.csv")
        #expect(form.files["list"]?.text == "ann\r\n--x\r\nbob")
        #expect(form.files["empty"] == nil)
    }

    @Test(
        "a form with files that is none is refused",
        arguments: [
            "", "--", "--xYz", "--xYz\r\n", "--xYz\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx",
            "--xYz\r\nno head\r\n--xYz--", "--xYz\r\n\r\n\r\n--xYz--", "x--xYz--",
        ]
    )
    func malformed(body: String) {
        #expect(throws: Failure.self) { try FormValues(multipart: Array(body.utf8), boundary: "xYz") }
    }

    @Test("a form that is none is answered with 400, whatever of it is missing")
    func broken() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            for (type, body) in [
                ("multipart/form-data; boundary=xYz", "--xYz\r\nbroken"), ("multipart/form-data; boundary=xYz", ""),
                ("multipart/form-data", "--xYz\r\n\r\n--xYz--"), ("multipart/form-data; boundary=", "----"),
                ("Multipart/Form-Data; boundary=\(String(repeating: "x", count: 71))", "x"),
            ] {
                for path in ["/compose", "/apps/new", "/sign-in"] {
                    let answer = try await admin.send(.post, path, body, type: type)
                    #expect(answer.status == 400 && answer.text.contains("The form cannot be read."), "\(path) \(type)")
                }
            }
            let incomplete = try await admin.post("/compose/send")
            #expect(incomplete.status == 400 && incomplete.text.contains("The form is not complete."))
        }
    }

    @Test("an address keeps its query when one value of it changes")
    func changed() {
        var call = ConsoleCall.sample
        call.uri = "/console/people?q=a%26b&lang=en"
        #expect(call.address(changing: "lang", to: "ja") == "/console/people?q=a%26b&lang=ja")
        #expect(call.address(changing: "cursor", to: "a/b=") == "/console/people?q=a%26b&lang=en&cursor=a%2Fb%3D")
    }

    @Test("a query has its values escaped and nothing for what is absent")
    func query() {
        #expect(Link.query(["a": "x y&z", "b": nil, "c": "日"]) == "a=x%20y%26z&c=%E6%97%A5")
    }
}
