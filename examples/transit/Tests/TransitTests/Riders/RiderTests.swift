import Crypto
import Foundation
import Testing
import Transit

/// The riders' file, their languages and their tokens.
@Suite struct RiderTests {
    private func riders(_ text: String) throws -> [Rider]? {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("riders-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        var file = RiderFile(path: path)
        let first = try file.changed()
        #expect(try file.changed() == nil)
        return first
    }

    @Test("a line is a rider; what is absent has a default")
    func lines() throws {
        let text = """
            {"id":"amira","favourites":[{"route":"T4","windows":[{"days":[1],"from":"07:00","to":"09:00"}]}]}

            {"id":"ben","language":"ja","minimum_severity":"severe","effects":["detour"],"favourites":[]}
            """
        let window = TravelWindow(days: [1], from: "07:00", to: "09:00")
        #expect(
            try riders(text) == [
                Rider(id: "amira", favourites: [Favourite(route: "T4", windows: [window])]),
                Rider(id: "ben", language: "ja", minimumSeverity: .severe, effects: [.detour], favourites: []),
            ]
        )
    }

    @Test(
        "a file with a wrong line is refused as a whole, with the line's number",
        arguments: [
            (#"{"id":"a"}"#, "it is no rider: 'favourites' is missing"),
            ("x", "it is no rider: it is no JSON object"),
            (
                #"{"id":"a","minimum_severity":"bad","favourites":[]}"#,
                "it is no rider: 'minimum_severity' has a value of another kind"
            ),
            (#"{"id":"ok","favourites":[]}"#, "rider 'ok' is there twice"),
            (
                #"{"id":"a","favourites":[{"windows":[{"days":[8],"from":"07:00","to":"09:00"}]}]}"#,
                "a window needs days from 1 to 7"
            ),
            (
                #"{"id":"a","favourites":[{"windows":[{"days":[1],"from":"7:00","to":"09:00"}]}]}"#,
                "times as HH:MM"
            ),
        ]
    )
    func wrong(line: String, reason: String) {
        let error = #expect(throws: RiderFile.Failure.self) {
            try riders(#"{"id":"ok","favourites":[]}"# + "\n" + line)
        }
        #expect(error?.description.contains("line 2: ") == true && error?.description.contains(reason) == true)
    }

    @Test("the best translation for a reader")
    func languages() {
        let text = TranslatedText([
            .init("Störung", language: "de"), .init("Disruption", language: "en"), .init("运行故障", language: "zh-Hans"),
            .init("Any"),
        ])
        let cases = [("de", "de"), ("de-AT", "de"), ("EN-au", "en"), ("zh-Hant", "zh-Hans"), ("fr", "en")]
        for (reader, language) in cases { #expect(text.best(for: reader)?.language == language) }
        #expect(TranslatedText([.init("Störung", language: "de"), .init("Any")]).best(for: "fr")?.text == "Any")
        #expect(TranslatedText([.init("Störung", language: "de")]).best(for: "fr")?.text == "Störung")
        #expect(TranslatedText().best(for: "fr") == nil)
    }

    @Test("a rider's token is an HS256 JWT whose subject is the rider")
    func token() throws {
        let secret = "0123456789abcdef0123456789abcdef"
        let text = try RiderToken(secret: secret, issuer: "i", audience: "a")
            .token(for: "amira", expires: Date(timeIntervalSince1970: 2_000_000_000))
        let parts = text.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        func bytes(_ part: String) -> Data? {
            let plain = part.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
            return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
        }
        let json = try #require(bytes(parts[1]))
        let claims = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(
            claims["sub"] as? String == "amira" && claims["iss"] as? String == "i" && claims["aud"] as? String == "a"
        )
        #expect(claims["exp"] as? Int == 2_000_000_000)
        let code = try #require(bytes(parts[2]))
        let isValid = HMAC<SHA256>.isValidAuthenticationCode(
            code,
            authenticating: Data("\(parts[0]).\(parts[1])".utf8),
            using: SymmetricKey(data: Data(secret.utf8))
        )
        #expect(isValid)
    }
}
