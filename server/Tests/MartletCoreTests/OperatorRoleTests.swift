import MartletWire
import Testing

@testable import MartletCore

@Suite struct OperatorRoleTests {
    /// All that each role may do.
    static let table: [(OperatorRole, Set<OperatorAct>)] = [
        (.viewer, [.read, .manageOwnAccount]),
        (.sender, [.read, .manageOwnAccount, .readUnmasked, .preview, .send, .cancelOwn]),
        (.admin, Set(OperatorAct.allCases)),
    ]

    @Test("a role may do what the table says and nothing else", arguments: table)
    func acts(role: OperatorRole, expected: Set<OperatorAct>) {
        #expect(Set(OperatorAct.allCases.filter(role.may)) == expected)
    }

    @Test("the table has every role")
    func roles() { #expect(Self.table.map(\.0) == OperatorRole.allCases) }
}

@Suite struct OperatorNameTests {
    @Test("a name is a line to read", arguments: ["a", "Ann Lee", "太郎", String(repeating: "é", count: 64)])
    func takes(name: String) throws { try Operator.validate(name: name) }

    @Test(
        "none, a longer one, one with a space at an end and one with a control character are refused",
        arguments: ["", String(repeating: "a", count: 65), " a", "a ", "a\n", "a\u{0}b", "a\u{9F}"]
    )
    func refuses(name: String) {
        #expect(throws: Failure.self) { try Operator.validate(name: name) }
    }

    @Test(
        "a name with what nobody sees, or what turns the direction, is refused, and so is a key's",
        arguments: [
            "an\u{200B}n", "an\u{200D}n", "\u{202E}nna", "an\u{2066}n", "an\u{200F}n", "an\u{61C}n", "an\u{AD}n",
            "an\u{FEFF}n", "an\u{2028}n", "an\u{2029}n", "an\u{E0041}n", "an\u{3164}n", "an\u{115F}n", "an\u{2800}n",
            "an\u{FE0F}n", "an\u{E000}n", "an\u{378}n", "an\u{FFF9}n", "an\u{34F}n",
        ]
    )
    func invisible(name: String) {
        #expect(throws: Failure.self) { try Operator.validate(name: name) }
        #expect(throws: Failure.self) { try APIKey.validate(name: name) }
    }

    @Test("a name is found however it is written, and a long text costs no more than a name")
    func keys() {
        #expect(Operator.key(of: "Ann") == Operator.key(of: "ANN"))
        #expect(Array(Operator.key(of: "Rene\u{301}").utf8) == Array(Operator.key(of: "REN\u{C9}").utf8))
        #expect(Operator.key(of: "Ann") != Operator.key(of: "Anna"))
        #expect(Operator.key(of: String(repeating: "a", count: 1_000_000)).count == Operator.nameLimit)
    }
}
