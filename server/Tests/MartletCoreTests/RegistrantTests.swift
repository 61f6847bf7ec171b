import MartletWire
import Testing

@testable import MartletCore

@Suite("Who an endpoint shall belong to")
struct RegistrantTests {
    typealias Said = NullablePatch<String>
    typealias Decision = Result<Registration.Owner, Failure>

    static let ann = Registrant.user("ann")
    static let anns = Decision.success(.user("ann"))
    static let unchanged = Decision.success(.unchanged)
    static let nobodys = Decision.success(.nobody)
    static let noID = refused(.invalidValue, "A user id has 1 to 256 bytes and no control characters.")
    static let otherThanSubject = refused(.invalidValue, "It is not the user token's subject.", hint: "Leave it out.")
    static let givenAway = refused(
        .invalidValue,
        "It is not the user token's subject.",
        hint: "Send null to let go of it."
    )
    static let tokenMissing = refused(
        .unauthorized,
        "In this app naming a user needs the user's token.",
        hint: "Send the user's token in the header 'Martlet-User-Token'."
    )
    static let userMissing = refused(
        .malformedRequest,
        "The field is missing.",
        hint: "Name the user whose device it is, or present the user's token."
    )

    static func refused(_ code: ErrorCode, _ message: String, hint: String? = nil) -> Decision {
        .failure(Failure(code, message, hint: hint, field: "user_id"))
    }

    static let installations: [(Registrant, Said, IdentityMode, Decision)] = [
        (.client, .unset, .asserted, unchanged), (.client, .unset, .signed, unchanged),
        (.client, .null, .asserted, nobodys), (.client, .null, .signed, nobodys),
        (.client, .value("ann"), .asserted, anns), (.client, .value("ann"), .signed, tokenMissing),
        (.client, .value(""), .asserted, noID), (.client, .value(""), .signed, noID),
        (.server, .unset, .signed, unchanged), (.server, .null, .signed, nobodys),
        (.server, .value("ann"), .asserted, anns), (.server, .value("ann"), .signed, anns),
        (.server, .value("a\n"), .signed, noID),
        (ann, .unset, .asserted, anns), (ann, .unset, .signed, anns), (ann, .null, .signed, nobodys),
        (ann, .value("ann"), .asserted, anns), (ann, .value("ann"), .signed, anns),
        (ann, .value("bob"), .asserted, otherThanSubject), (ann, .value("bob"), .signed, otherThanSubject),
        (ann, .value(""), .signed, noID),
    ]

    @Test("of an installation", arguments: installations)
    func installation(registrant: Registrant, said: Said, identity: IdentityMode, expected: Decision) {
        let decision = Decision { () throws(Failure) in try registrant.installationOwner(said, identity: identity) }
        #expect(decision == expected)
    }

    static let devices: [(Registrant, String?, Decision)] = [
        (.server, nil, userMissing), (.server, "ann", anns), (.server, "", noID),
        (ann, nil, anns), (ann, "ann", anns), (ann, "bob", otherThanSubject), (ann, "", otherThanSubject),
    ]

    @Test("of a device", arguments: devices)
    func device(registrant: Registrant, said: String?, expected: Decision) {
        #expect(Decision { () throws(Failure) in try registrant.deviceOwner(said) } == expected)
    }

    static let changes: [(Registrant, Said, Decision)] = [
        (.server, .unset, unchanged), (.server, .null, nobodys), (.server, .value("ann"), anns),
        (.server, .value(""), noID),
        (ann, .unset, unchanged), (ann, .null, nobodys), (ann, .value("ann"), anns), (ann, .value("bob"), givenAway),
        // Two texts that Unicode takes for equal are two ids.
        (.user("\u{E9}"), .value("e\u{301}"), givenAway),
    ]

    @Test("of a known device", arguments: changes)
    func change(registrant: Registrant, said: Said, expected: Decision) {
        #expect(Decision { () throws(Failure) in try registrant.nextOwner(said) } == expected)
    }
}
