import Crypto
import MartletWire
import Testing

@testable import MartletCore

@Suite struct OperatorSessionTests {
    static let start = Timestamp(milliseconds: 1_750_000_000_000)

    /// When it was made and used last, both before now; whether it is live, and whether its use is to be written.
    static let table: [(age: Duration, unused: Duration, isLive: Bool, isNoteDue: Bool)] = [
        (.zero, .zero, true, false),
        (.seconds(59), .seconds(59), true, false),
        (.seconds(60), .seconds(60), true, true),
        (.seconds(43_200) - .milliseconds(1), .seconds(43_200) - .milliseconds(1), true, true),
        (.seconds(43_200), .seconds(43_200), false, true),
        (.seconds(86_400), .seconds(43_200) - .milliseconds(1), true, true),
        (.seconds(604_800) - .milliseconds(1), .zero, true, false),
        (.seconds(604_800), .zero, false, false),
        // The clock was set back.
        (.seconds(-30), .seconds(-30), true, false),
    ]

    static func session(age: Duration, unused: Duration, disabledAt: Timestamp? = nil) -> OperatorSession {
        var random = SystemRandomNumberGenerator()
        let id = PublicID(milliseconds: start.rawValue, using: &random)
        let owner = Operator(
            row: RowID(1),
            id: id,
            name: "Ann",
            role: .viewer,
            password: PasswordHash(ofNothing: .standard),
            createdAt: start,
            disabledAt: disabledAt
        )
        return OperatorSession(
            row: RowID(1),
            id: id,
            owner: owner,
            address: "",
            userAgent: "",
            createdAt: start - age,
            usedAt: start - unused
        )
    }

    @Test("a session lives twelve hours unused and seven days in all, and its use is written once a minute")
    func rules() {
        for row in Self.table {
            let session = Self.session(age: row.age, unused: row.unused)
            #expect(session.isLive(at: Self.start) == row.isLive, "\(row)")
            #expect(session.isNoteDue(at: Self.start) == row.isNoteDue, "\(row)")
        }
    }

    @Test("the session of who is disabled opens nothing")
    func disabled() {
        #expect(!Self.session(age: .zero, unused: .zero, disabledAt: Self.start).isLive(at: Self.start))
    }

    @Test("a secret is 22 characters of base64url, never the same, and read back; other texts are none")
    func secrets() {
        let secret = SessionSecret()
        #expect(secret.text.utf8.count == 22)
        #expect(secret.text != SessionSecret().text)
        #expect(SessionSecret(secret.text)?.hash == secret.hash)
        for text in ["", "a", secret.text + "A", String(repeating: "=", count: 22), String(repeating: "é", count: 11)] {
            #expect(SessionSecret(text) == nil, "\(text)")
        }
        #expect(!"\(secret)".contains(secret.text))
    }

    @Test("a form's token is its session's alone, and does not tell what is stored of the secret")
    func csrf() {
        let (one, other) = (SessionSecret(), SessionSecret())
        #expect(one.accepts(csrfToken: one.csrfToken))
        for token in [other.csrfToken, "", String(one.csrfToken.dropLast()), one.text, one.csrfToken + "A"] {
            #expect(!one.accepts(csrfToken: token))
        }
        #expect(one.csrfToken != Secret.base64URL(one.hash.bytes))
    }
}
