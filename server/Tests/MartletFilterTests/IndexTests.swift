import Foundation
import MartletFilter
import Testing

/// The index against the policies that are in it.
@Suite struct IndexTests {
    /// `MARTLET_SEEDS` says how many to try, `MARTLET_SEED` which one alone.
    static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["MARTLET_SEED"].flatMap(UInt64.init) { return [seed] }
        return Array(1...(environment["MARTLET_SEEDS"].flatMap(UInt64.init) ?? 40))
    }()

    @Test("an index finds exactly the policies that match, while policies come and go", arguments: seeds)
    func agrees(seed: UInt64) throws {
        let isBody = seed % 2 == 0
        var maker = PolicyMaker(seed: seed, isBody: isBody)
        var index = FilterIndex<Int>()
        var policies: [Int: FilterPolicy] = [:]
        var id = 0
        for round in 0..<40 {
            for _ in 0..<8 {
                let text = maker.object(0)
                guard let policy = try? FilterPolicy(text, scope: isBody ? .messageBody : .messageAttributes) else {
                    continue
                }
                id += 1
                let key = maker.below(4) == 0 ? maker.below(id) : id
                policies[key] = policy
                index.insert(policy, for: key)
            }
            for key in policies.keys.sorted() where maker.below(12) == 0 {
                policies[key] = nil
                index.remove(key)
            }
            #expect(index.count == policies.count)
            for _ in 0..<5 {
                let message = message(&maker)
                let expected = policies.filter { $0.value.matches(message) }.keys.sorted()
                #expect(index.matches(message).sorted() == expected, "seed \(seed), round \(round)")
            }
        }
        for key in policies.keys { index.remove(key) }
        #expect(index.count == 0 && index.matches(message(&maker)).isEmpty)
    }

    private func message(_ maker: inout PolicyMaker) -> FilterMessage {
        if maker.isBody { return FilterMessage(attributes: [], body: Array(maker.body().utf8)) }
        let attributes = PolicyMaker.keys.prefix(maker.below(5)).map { key in
            switch maker.below(4) {
            case 0: FilterAttribute(name: key, dataType: "Number", value: maker.pick(PolicyMaker.values))
            case 1:
                FilterAttribute(name: key, dataType: "String.Array", value: "[\(maker.scalar()),\(maker.scalar())]")
            case 2: FilterAttribute(name: key, dataType: "Binary", value: nil)
            default: FilterAttribute(name: key, dataType: "String", value: maker.pick(PolicyMaker.texts))
            }
        }
        return FilterMessage(attributes: Array(attributes), body: nil)
    }

    @Test("equal policies, in whatever order and spacing, are found for all their ids")
    func shares() throws {
        var index = FilterIndex<String>()
        index.insert(try FilterPolicy(#"{"a":["x"],"b":[1]}"#), for: "one")
        index.insert(try FilterPolicy(#"{ "b" : [1.0], "a" : ["x"] }"#), for: "two")
        index.insert(try FilterPolicy(#"{"a":["x"]}"#, scope: .messageBody), for: "body")
        index.insert(try FilterPolicy("{}"), for: "all")
        let attributes = [
            FilterAttribute(name: "a", dataType: "String", value: "x"),
            FilterAttribute(name: "b", dataType: "Number", value: "1"),
        ]
        let message = FilterMessage(attributes: attributes, body: Array(#"{"a":"x"}"#.utf8))
        #expect(index.matches(message).sorted() == ["all", "body", "one", "two"])
        index.remove("one")
        index.remove("body")
        #expect(!index.readsBody)
        #expect(index.matches(message).sorted() == ["all", "two"])
        index.insert(try FilterPolicy(#"{"a":["y"]}"#), for: "two")
        #expect(index.matches(message) == ["all"])
        #expect(index.matches(FilterMessage(attributes: [], body: nil)) == ["all"])
    }

    @Test("two thousand intervals that come and go hold what they held")
    func intervals() throws {
        var index = FilterIndex<Int>()
        for low in 0..<2_000 {
            index.insert(try FilterPolicy(#"{"p":[{"numeric":[">=",\#(low),"<",\#(low + 3)]}]}"#), for: low)
        }
        func found(_ value: String) -> [Int] {
            let price = FilterAttribute(name: "p", dataType: "Number", value: value)
            return index.matches(FilterMessage(attributes: [price], body: nil)).sorted()
        }
        #expect(found("1000") == [998, 999, 1000])
        #expect(found("0.5") == [0])
        #expect(found("2001.999999") == [1999])
        #expect(found("-1").isEmpty && found("2002").isEmpty)
        for low in stride(from: 0, to: 2_000, by: 2) { index.remove(low) }
        #expect(found("1000") == [999])
        #expect(found("1001") == [999, 1001])
    }
}
