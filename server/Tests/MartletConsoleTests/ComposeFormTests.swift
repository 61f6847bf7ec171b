import Foundation
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("What is written in the form") struct ComposeFormTests {
    private let texts = Texts(preferred: ["en"])

    private func field(_ values: [String: String]) -> String? {
        do throws(Failure) {
            _ = try ComposeForm(FormValues(values)).request(texts)
            return nil
        } catch {
            return error.detail.field
        }
    }

    @Test("a form becomes what the API would be asked for")
    func request() throws {
        let form = ComposeForm(
            FormValues([
                "form": "on", "audience": "users", "users": "ann\r\nbob", "title": "Hello", "body": " a\r\nb ",
                "link": "shop://1", "badge_kind": "number", "badge": "3", "inbox": "on", "when": "later",
                "at": "2027-03-01T09:30", "zone": "Asia/Tokyo", "expiry": "3600", "class": "bulk",
                "data": "{\"n\": 1}", "overrides": "{\"apns\": {\"aps\": {\"thread-id\": \"x\"}}}",
            ])
        )
        let request = try form.request(texts)
        #expect(request.audience == AudienceRequest(users: ["ann", "bob"]))
        #expect(request.title == "Hello" && request.body == " a\nb " && request.deepLink == "shop://1")
        #expect(request.badge == .number(3) && request.inbox == .enabled(true) && request.sound == nil)
        #expect(request.sendAt?.description.hasPrefix("2027-03-01T00:30:00") == true)
        #expect(request.ttlSeconds == 3_600 && request.class == .bulk)
        #expect(request.data == ["n": 1] && request.overrides?["apns"] != nil && request.attributes == nil)
    }

    @Test("what a field has wrong is told at that field")
    func refusals() {
        let base = ["form": "on", "title": "x"]
        let wrong: [([String: String], String)] = [
            (["audience": "users"], "users"), (["audience": "users", "users": "a\u{7}"], "users"),
            (["audience": "users", "users": (0...10_000).map { "u\($0)" }.joined(separator: "\n")], "users"),
            (["audience": "topic"], "topic"), (["audience": "topic", "topic": "t", "attributes": "[]"], "attributes"),
            (["audience": "devices"], "devices"), (["badge_kind": "number", "badge": "-1"], "badge"),
            (["badge_kind": "number", "badge": "99999999999"], "badge"), (["when": "later"], "at"),
            (["when": "later", "at": "2027-03-28T02:30", "zone": "Europe/Berlin"], "at"),
            (["when": "later", "at": "2027-03-01T09:30", "zone": "Mars/Olympus"], "zone"),
            (["data": "{"], "data"), (["data": #"{"a":1,"a":2}"#], "data"), (["overrides": "1"], "overrides"),
            (["expiry": "soon"], "expiry"),
        ]
        for (values, name) in wrong {
            #expect(field(base.merging(values) { $1 }) == name, "\(values.keys.sorted())")
        }
        #expect(field(base) == nil)
        #expect(field(base.merging(["audience": "users", "users": "a\u{7},b", "skip_bad": "on"]) { $1 }) == nil)
    }

    @Test("ids of devices are told from tokens")
    func devices() throws {
        let id = PublicID(high: 1, low: 2)
        var form = ComposeForm(FormValues(["audience": "devices", "devices": "\(id)\n", "title": "x"]))
        #expect(try form.request(texts).audience == AudienceRequest(endpoints: [id]))
        form[.devices] = "abcd, ef01"
        form[.platform] = "fcm"
        #expect(try form.request(texts).audience == AudienceRequest(tokens: ["abcd", "ef01"], platform: .fcm))
    }

    @Test("a review keeps all of a form")
    func encoded() throws {
        let values = [
            "form": "on", "app": "a", "audience": "users", "users": "ann\nbob", "title": "\"<x>\"", "sound": "on",
        ]
        let form = ComposeForm(FormValues(values))
        let kept = try FormValues(urlEncoded: form.encoded)
        for (name, value) in values { #expect(kept.raw(name) == value) }
        #expect(ComposeForm(kept) == form)
    }

    @Test("the API's fields are the form's")
    func fields() {
        let pairs = [
            ("audience.users[3]", "users"), ("audience.tokens[0]", "devices"), ("audience.topic", "topic"),
            ("deep_link", "link"), ("send_at", "at"), ("ttl_seconds", "expiry"), ("content", "body"),
            ("overrides.apns.aps", "overrides"), ("attributes.x", "attributes"), ("title", "title"),
        ]
        for (api, form) in pairs { #expect(Failure.invalid(api, "x").atComposeField.detail.field == form, "\(api)") }
    }

    @Test(
        "a clock's time in a zone is one moment, or none",
        arguments: [
            ("2027-01-15T12:00", "UTC", 1_800_014_400), ("2027-01-15T21:00", "Asia/Tokyo", 1_800_014_400),
            ("2027-03-28T03:30", "Europe/Berlin", 1_806_197_400), ("2027-03-28T02:30", "Europe/Berlin", nil),
            ("2027-02-30T00:00", "UTC", nil), ("2027-01-15", "UTC", nil), ("x", "UTC", nil),
            ("2027-13-01T00:00", "UTC", nil),
        ] as [(String, String, Int64?)]
    )
    func moments(text: String, zone: String, seconds: Int64?) throws {
        let zone = try #require(TimeZone(identifier: zone))
        #expect(LocalMoment(text)?.moment(in: zone)?.seconds == seconds)
    }

    @Test("a send to many wants the number as it was shown, and the audience as it was")
    func confirmation() {
        #expect(SendConfirmation(people: 1_000, shown: 1_000, typed: "") == .given)
        #expect(SendConfirmation(people: 1_001, shown: 1_001, typed: "") == .wanting)
        for typed in ["12345", "12,345", "12 345", "12.345", "１２３４５"] {
            #expect(SendConfirmation(people: 12_345, shown: 12_345, typed: typed) == .given, "\(typed)")
        }
        for typed in ["1234", "12345x", "-12345", "99999999999999999999999"] {
            #expect(SendConfirmation(people: 12_345, shown: 12_345, typed: typed) == .wanting, "\(typed)")
        }
        #expect(SendConfirmation(people: 12_400, shown: 12_345, typed: "12345") == .given)
        #expect(SendConfirmation(people: 50_000, shown: 12_345, typed: "12345") == .outdated)
        #expect(SendConfirmation(people: 50_000, shown: 0, typed: "0") == .outdated)
    }

    @Test("a phone shows what goes to Apple")
    func phone() {
        let payload = #"{"aps":{"alert":{"title":"T","body":"B"},"badge":3}}"#
        let phone = PhonePreview(payload: Array(payload.utf8), hasImage: true)
        #expect(phone.title == "T" && phone.body == "B" && phone.badge == "3" && phone.hasImage)
        let values = phone.values(app: "Shop", texts)
        #expect(values.count == 4 && values.allSatisfy { $0["shown_title"] as? String == "T" })
        let plain = PhonePreview(payload: Array(#"{"aps":{"alert":"x"}}"#.utf8), hasImage: false)
        #expect(plain.values(app: "Shop", texts)[0]["shown_title"] as? String == "Shop")
        #expect(PhonePreview(payload: [1, 2], hasImage: false).body == nil)
    }
}
