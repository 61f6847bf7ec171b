import AsyncHTTPClient
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("What Amazon SNS was recorded to refuse")
struct RecordedErrorTests {
    /// Every recorded refusal that no call here brings about, with the reason.
    static let notCovered: [String: String] = {
        let sms = "this server sends no text messages, and refuses whatever is set about them in the same words"
        let number = "this server sends no text messages, and reads no phone number to be opted in"
        return [
            "test_set_invalid_sms_attributes[InvalidAttributeName]/invalid-attribute": sms,
            "test_set_invalid_sms_attributes[TooLongID]/invalid-attribute": sms,
            "test_set_invalid_sms_attributes[NoLetterID]/invalid-attribute": sms,
            "test_set_invalid_sms_attributes[InvalidSMSType]/invalid-attribute": sms,
            "test_opt_in_invalid_number/opt-in-non-existing-number": number,
        ]
    }()

    @Test("is refused here with the same code, status and text", arguments: RecordedError.Scene.allCases)
    func replays(_ scene: RecordedError.Scene) async throws {
        let rows = try RecordedError.all().filter { $0.scene == scene }
        try #require(!rows.isEmpty)
        try await Harness.run { harness in
            let refusals = try await scene.refusals.init(harness)
            for row in rows {
                let call = try #require(try refusals.call(for: row), "nothing brings \(row.name) about")
                let reply = try await harness.make(call)
                #expect(reply.status == row.status, "\(row.name): \(reply.body)")
                #expect(reply.error == (row.code, refusals.message(of: row)), "\(row.name)")
                #expect(reply["Type"] == "Sender", "\(row.name)")
                #expect(reply.type == "text/xml", "\(row.name)")
            }
            try await refusals.check(harness)
        }
    }

    @Test("every one of the 216 is brought about by a call, or named here with the reason why not")
    func names() throws {
        let rows = try RecordedError.all()
        #expect(rows.count == 216)
        let names = Set(rows.map(\.name))
        #expect(names.count == rows.count)
        #expect(Set(Self.notCovered.keys).subtracting(names).isEmpty, "named, and not recorded")
        for row in rows {
            #expect((row.scene == nil) == (Self.notCovered[row.name] != nil), "\(row.name)")
        }
        #expect(Self.notCovered.values.allSatisfy { !$0.isEmpty })
    }

    @Test("of those that are not brought about each operation is refused all the same, and says that it is not here")
    func absent() async throws {
        try await Harness.run { harness in
            for action in ["SetSMSAttributes", "OptInPhoneNumber"] {
                let reply = try await harness.call(action)
                #expect(reply.status == 400)
                #expect(reply.error.code == "InvalidParameter", "\(reply.body)")
            }
        }
    }
}

extension Harness {
    /// Makes a call that is to be refused.
    fileprivate func make(_ call: RefusedCall) async throws -> Reply {
        guard call.isLink else { return try await self.call(call.action, call.parameters, region: call.region) }
        let query = ([("Action", call.action)] + call.parameters)
            .map { "\(SignedQuery.escaped($0.utf8))=\(SignedQuery.escaped($1.utf8))" }
            .joined(separator: "&")
        return try await send(HTTPClientRequest(url: "\(url)/?\(query)"))
    }
}
