import MartletCore
import MartletWire
import Testing

@Suite("For which reasons somebody is sent it again")
struct ResendReasonsTests {
    @Test(
        "without reasons: what can have passed",
        arguments: [
            (DeliveryState.expired, nil, false, true), (.expired, "HTTP 503", false, true),
            (.dead, "x", false, true),
            (.cancelled, nil, true, true), (.rejected, "BadTopic", false, false),
            (.rejected, "Unregistered", true, true),
            (.suppressed, "no_endpoint", false, true), (.suppressed, "endpoint_disabled", true, true),
            (.suppressed, "no_credential", false, true), (.suppressed, "preference_off", false, false),
            (.suppressed, "device_off", false, false), (.suppressed, "permission_off", true, false),
            (.suppressed, "duplicate", false, false), (.suppressed, "read_in_inbox", false, false),
            (.suppressed, "superseded", false, false), (.accepted, nil, true, false), (.pending, nil, true, false),
        ] as [(DeliveryState, String?, Bool, Bool)]
    )
    func usual(state: DeliveryState, reason: String?, isGone: Bool, isIncluded: Bool) throws {
        #expect(try ResendReasons(nil).includes(state, reason: reason, isGone: isGone) == isIncluded)
    }

    @Test("with reasons: those words, and never who has it")
    func named() throws {
        let reasons = try ResendReasons(["dead", "preference_off", "suppressed"])
        #expect(reasons.includes(.dead, reason: "x", isGone: false))
        #expect(reasons.includes(.suppressed, reason: "preference_off", isGone: false))
        #expect(reasons.includes(.suppressed, reason: "no_endpoint", isGone: false))
        #expect(!reasons.includes(.expired, reason: nil, isGone: true))
        #expect(!reasons.includes(.suppressed, reason: "duplicate", isGone: false))
    }

    @Test("a reason that leaves nothing is refused with its place")
    func refusals() {
        let bad: [([String], String)] = [
            ([], "reasons"), (["dead", ""], "reasons[1]"), (["accepted"], "reasons[0]"), (["pending"], "reasons[0]"),
            (["superseded"], "reasons[0]"), (Array(repeating: "x", count: 51), "reasons"),
        ]
        for (words, field) in bad {
            #expect { try ResendReasons(words) } throws: { ($0 as? Failure)?.detail.field == field }
        }
    }
}

@Suite("A text in titles and bodies")
struct ContentSearchTests {
    @Test("ASCII by bytes, other letters by their lower case")
    func matches() {
        let found: [(String, String?, String?)] = [
            ("LINE 4", "Line 4 is late", nil), ("late", nil, "LATE"), ("köln", "KÖLN", nil), ("ÄÖ", "äö", nil),
            ("a/b", "x a/b", nil), ("\"", nil, "say \"hi\""),
        ]
        for (text, title, body) in found {
            #expect(ContentSearch(text).matches(title: title, body: body), "\(text)")
        }
        #expect(!ContentSearch("line 5").matches(title: "line 4", body: "5"))
        #expect(!ContentSearch("x").matches(title: nil, body: nil))
    }

    @Test("what may match is never fewer than what does")
    func mayMatch() {
        for text in ["Line", "é", "\"q", "\\", "\n", "zzz"] {
            let json = Array(#"{"body":"a \"q\" \\ \n","title":"LINE É"}"#.utf8)
            let may = json.withUnsafeBufferPointer { ContentSearch(text).mayMatch(json: $0) }
            let does = ContentSearch(text).matches(title: "LINE É", body: "a \"q\" \\ \n")
            #expect(may || !does, "\(text)")
            #expect(may == (text != "zzz"), "\(text)")
        }
    }
}
