import Crypto
import MartletCore
import MartletTesting
import MartletWire
import Testing

@Suite struct DedupTests {
    @Test("a short printable key is its own collapse id; any other is hashed to at most 64 bytes")
    func collapseIDs() {
        #expect(Dedup(key: "alert-42").collapseID == "alert-42")
        #expect(Dedup(key: String(repeating: "a", count: 64)).collapseID.utf8.count == 64)
        let long = Dedup(key: String(repeating: "a", count: 65)).collapseID
        #expect(long.utf8.count == 32)
        #expect(long != Dedup(key: String(repeating: "a", count: 66)).collapseID)
        #expect(!Dedup(key: " padded ").collapseID.contains(" "))
        #expect(Dedup(key: "警報").collapseID.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("keys and cooldowns out of bounds are refused")
    func validates() {
        #expect(throws: Failure.self) { try Dedup(key: "").validate() }
        #expect(throws: Failure.self) { try Dedup(key: String(repeating: "k", count: 257)).validate() }
        #expect(throws: Failure.self) { try Dedup(key: "k", cooldown: .seconds(-1)).validate() }
        #expect(throws: Never.self) { try Dedup(key: "k", cooldown: nil).validate() }
    }
}

@Suite struct UserTests {
    @Test("a user id has 1 to 256 bytes", arguments: ["a", "太郎", String(repeating: "a", count: 256)])
    func takes(id: String) throws { try User.validate(id: id, field: "user_id") }

    @Test(
        "longer ids, none, and those with control characters of either kind are refused",
        arguments: [
            "", String(repeating: "é", count: 129), "a\u{0}", "\u{1F}", "\u{7F}", "é\u{80}", "\u{9B}31m", "\u{9F}",
        ]
    )
    func refuses(id: String) {
        #expect(throws: Failure.self) { try User.validate(id: id, field: "user_id") }
    }
}

@Suite struct DeviceTokenTests {
    @Test("what every provider has in common is 1 to 4,096 printable characters, which stay as they are")
    func checks() throws {
        let longest = String(repeating: "Z", count: 4_096)
        for token in ["f:1", longest] { #expect(try DeviceToken.check(token, field: "f") == token) }
        for token in ["", "a b", "é", longest + "Z"] {
            #expect { try DeviceToken.check(token, field: "f") } throws: { ($0 as? Failure)?.detail.field == "f" }
        }
    }

    @Test("a provider's own rules hold for its tokens, and the common ones where there is no provider")
    func byProvider() throws {
        #expect(try AudienceTests.providers.normalize("AB", platform: .apns) == "ab")
        #expect(try AudienceTests.providers.normalize("AB", platform: .fcm) == "AB")
    }

    @Test("a log sees eight characters at most")
    func redacts() {
        #expect(DeviceToken.redacted("0123456789abcdef") == "01234567…")
    }
}

@Suite struct AudienceTests {
    /// One that takes letters up to f, in lower case.
    static let providers: [Platform: any Provider] = [
        .apns: ScriptedProvider { (token, field) throws(Failure) in
            guard token.allSatisfy(\.isHexDigit) else { throw .invalid(field, "It has other letters.") }
            return token.lowercased()
        }
    ]

    @Test("an empty audience is refused and repetitions are dropped")
    func validates() throws {
        #expect(throws: Failure.self) { try Audience.users([]).validated(by: Self.providers) }
        #expect(try Audience.users(["a", "b", "a"]).validated(by: Self.providers) == .users(["a", "b"]))
        #expect(
            try Audience.tokens(["AA", "aa"], platform: .apns).validated(by: Self.providers)
                == .tokens(["aa"], platform: .apns)
        )
        #expect(try Audience.all.validated(by: Self.providers) == .all)
    }

    @Test("users whose ids differ by a byte are two users, also where the text looks the same")
    func keepsDifferentBytes() throws {
        let ids = ["Ren\u{E9}e", "Rene\u{301}e"]
        #expect(try Audience.users(ids).validated(by: Self.providers).count == 2)
    }

    @Test("a bad member is named by its place")
    func namesThePlace() {
        #expect { try Audience.tokens(["aa", "zz"], platform: .apns).validated(by: Self.providers) } throws: {
            ($0 as? Failure)?.detail.field == "audience.tokens[1]"
        }
        #expect { try Audience.users(["a", ""]).validated(by: Self.providers) } throws: {
            ($0 as? Failure)?.detail.field == "audience.users[1]"
        }
    }

    @Test("more than the limit is refused")
    func isBounded() {
        let many = (0...Audience.limit).map { "u\($0)" }
        #expect(throws: Failure.self) { try Audience.users(many).validated(by: Self.providers) }
    }
}

@Suite struct DeliveryIDTests {
    static let notification = PublicID(high: 0x0123_4567_89AB_7DEF, low: 0x8123_4567_89AB_CDEF)

    @Test("the id is the same every time and another for every endpoint and notification")
    func isStable() {
        let id = DeliveryID(notification: Self.notification).of(RowID(1))
        #expect(id.description == "11442392-49d4-86a4-8290-28ae06e2fd80")
        #expect(id == DeliveryID(notification: Self.notification).of(RowID(1)))
        #expect(id != DeliveryID(notification: Self.notification).of(RowID(2)))
        #expect(id != DeliveryID(notification: PublicID(high: 1, low: 1)).of(RowID(1)))
    }

    @Test("no two endpoints of a notification have the same, whatever their rows")
    func isOnePerEndpoint() {
        let ids = DeliveryID(notification: Self.notification)
        let rows = (0..<62).map { Int64(1) << $0 } + (1...1_000)
        #expect(Set(rows.map { ids.of(RowID($0)) }).count == Set(rows).count)
    }

    @Test("it is a UUID of version 8 and the RFC's variant")
    func isUUID() {
        let text = DeliveryID(notification: Self.notification).of(RowID(7)).description
        #expect(Array(text)[14] == "8")
        #expect("89ab".contains(Array(text)[19]))
    }
}

@Suite struct SecretTests {
    @Test("secrets differ, carry their prefix, and match only their own hash")
    func secrets() {
        let (one, other) = (Secret(prefix: "mk_send_"), Secret(prefix: "mk_send_"))
        #expect(one.text.hasPrefix("mk_send_") && one.text.utf8.count == 8 + 43)
        #expect(one.text != other.text)
        #expect(one.hash.matches(SecretHash(of: one.text)))
        #expect(!one.hash.matches(other.hash))
    }

    @Test(
        "base64url is unpadded and as RFC 4648 says",
        arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v")]
    )
    func base64URL(text: String, encoded: String) {
        #expect(Secret.base64URL(Array(text.utf8)) == encoded)
        #expect(Secret.base64URL([0xFB, 0xFF]) == "-_8")
    }

    @Test("the vault opens what it sealed, for the same purpose and with the same key only")
    func vault() throws {
        let vault = Vault(key: SymmetricKey(size: .bits256))
        let sealed = try vault.seal([1, 2, 3], for: "a")
        #expect(try vault.open(sealed, for: "a") == [1, 2, 3])
        #expect(throws: Failure.self) { try vault.open(sealed, for: "b") }
        #expect(throws: Failure.self) { try Vault(key: SymmetricKey(size: .bits256)).open(sealed, for: "a") }
        #expect(throws: Failure.self) { try vault.open([], for: "a") }
        #expect(throws: Failure.self) { try Vault(base64: "c2hvcnQ=") }
        let repeated = try vault.sealRepeatably(Array("secret".utf8), for: "a")
        #expect(try vault.sealRepeatably(Array("secret".utf8), for: "a") == repeated)
        #expect(try vault.open(repeated, for: "a") == Array("secret".utf8))
        #expect(try vault.sealRepeatably(Array("secret".utf8), for: "b") != repeated)
        #expect(try vault.sealRepeatably(Array("secres".utf8), for: "a").prefix(12) != repeated.prefix(12))
        #expect(try vault.seal(Array("secret".utf8), for: "a") != repeated)
    }
}
