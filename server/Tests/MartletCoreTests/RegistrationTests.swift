import MartletCore
import MartletWire
import Testing

@Suite struct RegistrationPlanTests {
    typealias Known = RegistrationPlan.Known

    static func known(_ row: Int64, installation: Int64? = nil, user: Int64? = nil) -> Known {
        Known(row: RowID(row), installation: installation.map { RowID($0) }, user: user.map { RowID($0) })
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var byToken: Known?
        var byInstallation: Known?
        var others: [Known] = []
        var byPrevious: Known?
        var owner = RegistrationPlan.Owner.unchanged
        var installation: Int64?
        var target: Int64?
        var user: Int64?
        var replaced: [Int64] = []
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "nothing is known: a new endpoint", owner: .user(RowID(1)), user: 1),
        Row(
            name: "the same token of the same user is written over",
            byToken: known(10, user: 1),
            owner: .user(RowID(1)),
            target: 10,
            user: 1
        ),
        Row(
            name: "a token under another user moves",
            byToken: known(10, user: 1),
            owner: .user(RowID(2)),
            target: 10,
            user: 2
        ),
        Row(
            name: "an installation that says nothing of its user keeps it",
            byToken: known(10, installation: 5, user: 1),
            byInstallation: known(10, installation: 5, user: 1),
            installation: 5,
            target: 10,
            user: 1
        ),
        Row(
            name: "a logout leaves the endpoint to nobody",
            byInstallation: known(10, installation: 5, user: 1),
            owner: .nobody,
            installation: 5,
            target: 10
        ),
        Row(
            name: "an installation's token rotates in place",
            byInstallation: known(10, installation: 5, user: 1),
            installation: 5,
            target: 10,
            user: 1
        ),
        Row(
            name: "a token that another installation held lives on, and this installation's old endpoint is replaced",
            byToken: known(20, installation: 6, user: 2),
            byInstallation: known(10, installation: 5, user: 1),
            installation: 5,
            target: 20,
            user: 1,
            replaced: [10]
        ),
        Row(
            name: "another platform's token is a new endpoint with the same user, and the old one is replaced",
            others: [known(10, installation: 5, user: 1)],
            installation: 5,
            user: 1,
            replaced: [10]
        ),
        Row(
            name: "back on the first platform the token's endpoint lives again, with the user of the other one",
            byToken: known(10, installation: 5, user: 1),
            others: [known(20, installation: 5, user: 2)],
            installation: 5,
            target: 10,
            user: 2,
            replaced: [20]
        ),
        Row(
            name: "a logout with another platform's token leaves it to nobody",
            others: [known(10, installation: 5, user: 1), known(11, installation: 5, user: 1)],
            owner: .nobody,
            installation: 5,
            replaced: [10, 11]
        ),
        Row(
            name: "a re-install with the same token does not inherit the user",
            byToken: known(20, installation: 6, user: 2),
            installation: 7,
            target: 20
        ),
        Row(
            name: "the old token named by its own user is taken over",
            byPrevious: known(30, user: 1),
            owner: .user(RowID(1)),
            target: 30,
            user: 1
        ),
        Row(
            name: "the old token is replaced when the new one is known already",
            byToken: known(10, user: 1),
            byPrevious: known(30, user: 1),
            owner: .user(RowID(1)),
            target: 10,
            user: 1,
            replaced: [30]
        ),
        Row(
            name: "a stranger's token named as the old one is left alone",
            byPrevious: known(30, user: 2),
            owner: .user(RowID(1)),
            user: 1
        ),
        Row(
            name: "another installation's token named as the old one is left alone",
            byPrevious: known(30, installation: 6, user: 1),
            owner: .user(RowID(1)),
            installation: 5,
            user: 1
        ),
        Row(
            name: "the customer's server may name an old token without naming its user",
            byPrevious: known(30, user: 1),
            target: 30,
            user: 1
        ),
    ]

    @Test("each registration has its plan", arguments: rows)
    func plans(row: Row) {
        let plan = RegistrationPlan(
            byToken: row.byToken,
            byInstallation: row.byInstallation,
            onOtherPlatforms: row.others,
            byPreviousToken: row.byPrevious,
            owner: row.owner,
            installation: row.installation.map { RowID($0) }
        )
        #expect(plan.target == row.target.map { RowID($0) })
        #expect(plan.user == row.user.map { RowID($0) })
        #expect(plan.replaced == row.replaced.map { RowID($0) })
    }
}

@Suite struct InstallationAdmissionTests {
    static let secret = SecretHash(of: "secret")

    static func claim(_ presented: SecretHash?) -> Registration.InstallationClaim {
        Registration.InstallationClaim(
            id: PublicID(high: 1, low: 1),
            presented: presented,
            issued: SecretHash(of: "new")
        )
    }

    static let previous = SecretHash(of: "previous")

    static func installation(confirmed: Bool) -> Installation {
        Installation(
            row: RowID(1),
            id: PublicID(high: 1, low: 1),
            secret: secret,
            previousSecret: previous,
            isSecretConfirmed: confirmed
        )
    }

    static func admit(
        _ presented: SecretHash?,
        confirmed: Bool = true,
        holdsToken: Bool = false,
        isAnotherToken: Bool = false
    ) throws -> Installation.Admission {
        try Installation.admit(
            claim(presented),
            existing: installation(confirmed: confirmed),
            holdsToken: holdsToken,
            isAnotherToken: isAnotherToken
        )
    }

    @Test("an unknown installation is new")
    func new() throws {
        let claim = Self.claim(nil)
        let admission = try Installation.admit(claim, existing: nil, holdsToken: false, isAnotherToken: false)
        #expect(admission == .new)
    }

    @Test("its own secret admits it")
    func known() throws {
        #expect(try Self.admit(Self.secret) == .known)
        #expect(try Self.admit(Self.secret, confirmed: false, holdsToken: true) == .known)
    }

    @Test("its own secret with another token gets it another secret")
    func rotated() throws {
        #expect(try Self.admit(Self.secret, isAnotherToken: true) == .rotated)
        #expect(try Self.admit(Self.secret, confirmed: false, isAnotherToken: true) == .rotated)
    }

    @Test("a lost first answer is given again to whoever holds the same token")
    func reissue() throws {
        #expect(try Self.admit(nil, confirmed: false, holdsToken: true) == .reissued)
    }

    @Test("so is a lost answer to another token, to whoever has the secret before and holds that token")
    func reissueAfterRotation() throws {
        #expect(try Self.admit(Self.previous, confirmed: false, holdsToken: true) == .reissued)
    }

    @Test(
        "nobody else is admitted",
        arguments: [
            (nil, true, true), (nil, false, false), (SecretHash(of: "wrong"), false, true),
            (SecretHash(of: "wrong"), true, true), (previous, true, true), (previous, false, false),
        ] as [(SecretHash?, Bool, Bool)]
    )
    func refuses(presented: SecretHash?, confirmed: Bool, holdsToken: Bool) {
        #expect {
            try Self.admit(presented, confirmed: confirmed, holdsToken: holdsToken, isAnotherToken: !holdsToken)
        } throws: {
            ($0 as? Failure)?.code == .installationSecretRequired
        }
    }
}
