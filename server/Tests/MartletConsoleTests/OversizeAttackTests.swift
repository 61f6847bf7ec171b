import HTTPTypes
import HummingbirdTesting
import MartletTesting
import MartletWire
import NIOCore
import Testing

@testable import MartletConsole
@testable import MartletCore

extension Visitor {
    /// Sends a file with a form's fields.
    func upload(_ path: String, _ file: [UInt8], _ fields: KeyValuePairs<String, String> = [:]) async throws -> Answer {
        var body: [UInt8] = []
        for (name, value) in Array(fields) + [(key: "csrf", value: csrf)] {
            body += "--xYz\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8
        }
        body += "--xYz\r\nContent-Disposition: form-data; name=\"list\"; filename=\"x.csv\"\r\n\r\n".utf8
        body += file
        body += "\r\n--xYz--\r\n".utf8
        return try await send(path, body)
    }

    /// Sends bytes as a form with files.
    func send(_ path: String, _ body: [UInt8]) async throws -> Answer {
        var fields = headers
        if let secret { fields[.cookie] = "martlet_session=\(secret.text)" }
        fields[.contentType] = "multipart/form-data; boundary=xYz"
        let buffer = ByteBuffer(bytes: body)
        return try await client.execute(uri: "/console" + path, method: .post, headers: fields, body: buffer) {
            Answer(status: $0.status.code, headers: $0.headers, text: String(buffer: $0.body))
        }
    }
}

@Suite("What is too large, or is no text") struct OversizeAttackTests {
    @Test("a file over the limit is refused, and says how long it may be")
    func file() async throws {
        var settings = ConsoleSettings()
        settings.fileLimit = 100_000
        try await Harness.run(settings: settings) { harness in
            let sender = try await harness.visitor(.sender)
            let answer = try await sender.upload("/compose/list", Array(repeating: 0x61, count: 200_000))
            #expect(answer.status == 413 && answer.text.contains("over 100000 bytes"), "\(answer.text)")
            #expect(try await sender.get("/compose").status == 200)
        }
    }

    @Test(
        "the page knows how large a file may be, in bytes and in words",
        arguments: [(10_485_760, "10 MB"), (100_000, "97 KB")]
    )
    func told(limit: Int, size: String) async throws {
        var settings = ConsoleSettings()
        settings.fileLimit = limit
        try await Harness.run(settings: settings) { harness in
            try await harness.storeCredential()
            let page = try await harness.visitor(.sender).get("/compose").text
            #expect(page.contains("role=\"status\" data-list-limit=\"\(limit)\""))
            #expect(page.contains("data-too-large=\"The file is larger than \(size), "), "\(page)")
            #expect(page.contains("data-sending=\"{name} is being sent.\""))
        }
    }

    @Test("a list of a million lines is told of in a page of usual size")
    func lines() async throws {
        try await Harness.run { harness in
            let sender = try await harness.visitor(.sender)
            var file: [UInt8] = []
            file.reserveCapacity(6_000_000)
            for number in 0..<1_000_000 {
                file += String(number, radix: 36).utf8
                file.append(10)
            }
            let answer = try await sender.upload("/compose/list", file)
            #expect(answer.status == 200 && answer.text.contains("this one names 1,000,000"))
            #expect(answer.text.utf8.count < 100_000)
        }
    }

    @Test("a list that is too long is sent to nobody, nor are those who were typed before")
    func notTaken() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            try await harness.register(["ann"])
            let sender = try await harness.visitor(.sender)
            let file = Array((0...Audience.limit).map { "p\($0)" }.joined(separator: "\n").utf8)
            let answer = try await sender.upload(
                "/compose",
                file,
                ["form": "on", "do": "review", "audience": "users", "users": "ann", "title": "Hi"]
            )
            #expect(answer.status == 422 && answer.text.contains("this one names 10,001"))
            #expect(answer.text.contains(">\nann</textarea>") && !answer.text.contains("name=\"review\""))
            #expect(try await harness.sent().isEmpty)
        }
    }

    @Test("a line of a megabyte is one bad line")
    func line() async throws {
        try await Harness.run { harness in
            let sender = try await harness.visitor(.sender)
            // Marks that belong to one letter, as far as a text's length goes.
            for letter in ["x", "\u{301}", ","] {
                let file = "ann\na" + String(repeating: letter, count: 1_000_000 / letter.utf8.count) + "\nbob"
                let answer = try await sender.upload("/compose/list", Array(file.utf8))
                #expect(answer.status == 200 && answer.text.contains("ann") && answer.text.contains("bob"))
                #expect(answer.text.utf8.count < 100_000)
            }
        }
    }

    @Test("what is no UTF-8 says how to save the file")
    func encodings() async throws {
        try await Harness.run { harness in
            let sender = try await harness.visitor(.sender)
            let wide = "ann\r\nbob\r\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            let binary = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 129) }
            for file in [[0xFF, 0xFE] + wide, wide, binary, [0x61, 0x00, 0x62], [0x00], [0xFF]] {
                let answer = try await sender.upload("/compose/list", file)
                #expect(answer.status == 200 && answer.text.contains("save the file as UTF-8"), "\(file.prefix(8))")
                #expect(!answer.text.utf8.contains(0))
            }
            let wideList = PeopleList(file: FormFile(name: "x", bytes: [0xFF, 0xFE] + wide).text)
            #expect(wideList.people == [])
        }
    }

    @Test("a form of ten thousand parts or of a hundred thousand fields is refused, of whomever it is")
    func fields() async throws {
        try await Harness.run { harness in
            let sender = try await harness.visitor(.sender)
            let part = "--xYz\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n"
            let parts = Array(String(repeating: part, count: 10_000).utf8) + Array("--xYz--\r\n".utf8)
            let multipart = try await sender.send("/compose/list", parts)
            #expect(multipart.status == 413 && multipart.text.contains("more than 200 parts"), "\(multipart.text)")
            let many = (0..<100_000).map { "n\($0)=" }.joined(separator: "&")
            let answer = try await sender.send(.post, "/compose", many)
            #expect(answer.status == 413 && answer.text.contains("more than 2000 values"))
            let few = (0..<2_001).map { _ in "n=" }.joined(separator: "&")
            let open = try await harness.stranger.send(.post, "/sign-in", few)
            #expect(open.status == 413 && open.text.contains("more than 2000 values"))
            #expect(try await sender.get("/compose?\(many.prefix(30_000))").status == 413)
        }
    }

    @Test("a stranger's form is read as far as sixteen kilobytes, and their name shown as far as names go")
    func strangers() async throws {
        try await Harness.run { harness in
            for path in ["/sign-in", "/invitations/x"] {
                let long = "name=" + String(repeating: "x", count: 16_384)
                let answer = try await harness.stranger.send(.post, path, long)
                #expect(answer.status == 413 && answer.text.contains("over 16384 bytes"), "\(path)")
            }
            let name = String(repeating: "x", count: 16_000)
            let page = try await harness.stranger.post("/sign-in", ["name": name, "password": "no, not this"])
            #expect(page.status == 401 && page.text.contains("value=\"\(name.prefix(Operator.nameLimit))\""))
            var own = harness.stranger
            own.headers[HTTPField.Name("Sec-Fetch-Site")!] = "same-origin"  // a literal
            for (count, status) in [(100_000, 401), (200_000, 303)] {
                let form: KeyValuePairs = ["key": String(repeating: "x", count: count)]
                #expect(try await own.post("/categories", form).status == status, "\(count)")
            }
        }
    }

    @Test("a form whose boundary is longer than boundaries are is refused")
    func boundary() throws {
        let boundary = String(repeating: "-", count: 10_000)
        let body = Array("--\(boundary)--".utf8)
        #expect(throws: Failure.self) { try MultipartBody.parts(of: body, boundary: boundary) }
        #expect(try MultipartBody.parts(of: Array("------".utf8), boundary: "--").isEmpty)
    }

    @Test("quotation marks behind spaces, and a line of commas, are read once")
    func quotations() {
        let spaces = String(repeating: " ", count: 200_000) + "x" + String(repeating: "\"", count: 200_000)
        #expect(PeopleList(file: spaces + "\nann").people == ["ann"])
        let commas = String(repeating: ",", count: 200_000)
        #expect(PeopleList(file: "ann\(commas)\nbob").people == ["ann", "bob"])
        #expect(PeopleList(typed: "ann\(commas)bob").people == ["ann", "bob"])
    }

    @Test("numbers that no page showed are refused, not computed with")
    func numbers() async throws {
        for shown in [Int.min, -1, .max] {
            #expect(SendConfirmation(people: 5_000, shown: shown, typed: "5000") == .outdated)
        }
        try await Harness.run { harness in
            try await harness.storeCredential()
            let sender = try await harness.visitor(.sender)
            for expiry in ["9223372036854775807", "-1", "1"] {
                let answer = try await sender.post(
                    "/compose",
                    ["form": "on", "do": "review", "title": "Hi", "expiry": expiry]
                )
                #expect(answer.status == 422 && answer.text.contains("Choose one of the times."), "\(expiry)")
            }
        }
    }
}
