import Foundation
import MartletCore
import MartletProviders
import MartletWire

@testable import MartletHTTP
@testable import MartletSNS

/// A body of a REST request, behind one letter that says which document it is to be.
enum RequestsTarget {
    /// 2027-01-15T08:00:00Z, a moment like any other.
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)

    static func run(_ input: FuzzInput) -> Bool {
        var input = input
        guard let letter = input.byte() else { return false }
        let body = Array(input.rest)
        if letter == UInt8(ascii: "q") {
            readCursor(String(decoding: body, as: UTF8.self))
            return true
        }
        guard let value = try? JSONReader.read(body) else { return true }
        compare(value, body)
        switch letter {
        case UInt8(ascii: "a"): _ = document(AppRequest.self, value)
        case UInt8(ascii: "c"): document(CredentialRequest.self, value).map { _ = try? CredentialDraft($0) }
        case UInt8(ascii: "d"): _ = document(DeviceRequest.self, value)
        case UInt8(ascii: "k"): _ = document(KeyRequest.self, value)
        case UInt8(ascii: "p"): _ = document(DeviceUpdate.self, value)
        case UInt8(ascii: "t"): document(TokenRegistrationRequest.self, value).map(register)
        case UInt8(ascii: "u"): _ = document(AppUpdate.self, value)
        default: document(NotificationRequest.self, value).map(submit)
        }
        return true
    }

    /// The standard decoder, where it reads the text as well, reads the same, but for whole numbers that it makes of
    /// fractions beyond what a `Double` tells apart; and what was read can be written.
    private static func compare(_ value: JSONValue, _ body: [UInt8]) {
        if let other = try? JSONDecoder().decode(JSONValue.self, from: Data(body)) {
            demand(value.rounded == other.rounded, "the standard decoder reads another value")
        }
        guard let text = try? value.json(), let again = try? JSONReader.read(Array(text)) else {
            return demand(false, "what was read cannot be written and read again")
        }
        demand(again == value, "what was written reads as another value")
    }

    /// The document; what its schema takes can be decoded.
    private static func document<Document: Documented & Decodable>(
        _ type: Document.Type,
        _ value: JSONValue
    ) -> Document? {
        guard (try? Document.schema.check(value)) != nil else { return nil }
        do {
            return try DocumentDecoder.decode(type, from: value)
        } catch {
            demand(false, "the schema takes what cannot be decoded: \(error)")
            return nil
        }
    }

    private static func submit(_ request: NotificationRequest) {
        for time in [request.sendAt, request.expiresAt].compactMap({ $0 }) {
            demand(UTCTime(time.description) == time, "\(time) does not read as it is written")
        }
        guard var submission = try? Submission(request, app: PayloadsTarget.app, now: now),
            let audience = try? submission.audience.validated(by: [:]), (try? submission.dedup?.validate()) != nil,
            (try? submission.retry.validate()) != nil
        else { return }
        submission.audience = audience
        keep(audience)
        keep(submission.content)
        keep(submission.dedup)
        keep(submission.retry)
        PayloadsTarget.render(submission)
    }

    /// The store keeps it as JSON.
    private static func keep(_ value: some Codable) {
        func isReadable<Value: Codable>(_ value: Value) -> Bool {
            guard let text = try? JSONEncoder().encode([value]) else { return false }
            return (try? JSONDecoder().decode([Value].self, from: text)) != nil
        }
        demand(isReadable(value), "what was accepted cannot be stored")
    }

    private static func register(_ request: TokenRegistrationRequest) {
        let text = request.token ?? ""
        if let token = try? APNsToken.normalize(text, field: "token") {
            let again = try? APNsToken.normalize(token, field: "token")
            demand(again == token, "a token's normal form is not its own")
        }
        _ = try? DeviceToken.check(text, field: "token")
        _ = try? Registrant.user("amira").installationOwner(request.userID, identity: .asserted)
    }

    private static func readCursor(_ text: String) {
        let list = "GET /api/v1/apps"
        guard let key = try? Cursor.key(of: text, list: list) else { return }
        demand((try? Cursor.key(of: Cursor.text(of: key, list: list), list: list)) == key, "a cursor leads elsewhere")
    }
}

extension JSONValue {
    /// The value with each number as the nearest `Double`.
    fileprivate var rounded: JSONValue {
        switch self {
        case .integer, .number, .decimal: doubleValue.map(JSONValue.number) ?? self
        case .array(let elements): .array(elements.map(\.rounded))
        case .object(let members): .object(members.mapValues(\.rounded))
        default: self
        }
    }
}
