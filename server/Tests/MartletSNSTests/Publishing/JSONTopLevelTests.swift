import Foundation
import MartletTesting
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite struct JSONTopLevelTests {
    private static let seeds = [
        #"{"default":"d","APNS":"{\"aps\":{\"alert\":\"x\"}}","GCM":"g"}"#,
        #"{"a":[1,-2.5e+3,{"b":[true,false,null]},"c\u0041\n"],"default":"é😀"}"#,
        #" { "x" : { } , "default" : "" , "y" : [ ] } "#,
    ]
    private static let pieces =
        Array(#"{}[]",:\ eE+-.0129utrfn/aé"#).map(String.init) + ["\\u00", "null", "\"a\"", "\n"]

    @Test("what Foundation reads of thousands of broken documents is what is read here")
    func agreesWithFoundation() {
        var random = SeededRandom(seed: 4)
        for _ in 0..<20_000 {
            var text = Array(Self.seeds.randomElement(using: &random)!)  // not empty
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0...text.count, using: &random)
                let piece = Array(Self.pieces.randomElement(using: &random)!)  // not empty
                switch Int.random(in: 0..<3, using: &random) {
                case 0: text.insert(contentsOf: piece, at: index)
                case 1: text.removeSubrange(index..<min(text.count, index + 1))
                default: text.replaceSubrange(index..<min(text.count, index + piece.count), with: piece)
                }
            }
            let broken = String(text)
            // Which Foundation takes, and RFC 8259 does not.
            if broken.contains(#/,\s*[}\]]/#) { continue }
            let expected = Self.foundation(broken)
            let found = JSONTopLevel.strings(of: broken)
            #expect((found == nil) == (expected == nil), "\(broken)")
            guard let found, let expected, Self.hasDistinctKeys(found, broken) else { continue }
            #expect(found == expected, "\(broken)")
        }
    }

    private static func foundation(_ text: String) -> [String: String]? {
        let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return object?.compactMapValues { $0 as? String }
    }

    /// Of keys that come twice Foundation takes another value.
    private static func hasDistinctKeys(_ found: [String: String], _ text: String) -> Bool {
        ["default", "APNS", "GCM", "a", "x", "y"].allSatisfy { key in
            text.components(separatedBy: "\"\(key)\"").count <= 2
        }
    }
}
