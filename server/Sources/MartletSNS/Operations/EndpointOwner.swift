import Foundation
import MartletCore
import MartletStore
import MartletWire

extension JSONPointer {
    /// The user's id that a client keeps with an endpoint.
    ///
    /// - Parameter customUserData: JSON, or any other text, which names nobody.
    /// - Returns: `nil` where nobody is named.
    /// - Throws: `InvalidParameter` where what stands there is no user's id.
    func user(in customUserData: String?) throws(SNSError) -> String? {
        guard let text = customUserData, let document = try? JSONValue(json: Data(text.utf8)) else { return nil }
        let id: String
        switch value(in: document) {
        case nil, .null?: return nil
        case .string(let text)?: id = text
        case .integer(let number)?: id = String(number)
        case .decimal(let number)? where UInt64(number) != nil: id = number
        default: throw noUser
        }
        guard (try? User.validate(id: id, field: "user_id")) != nil else { throw noUser }
        return id
    }

    private var noUser: SNSError {
        .attributes(
            "Invalid value for attribute: CustomUserData: at \(text) it must have a text of 1 to 256 bytes without control "
                + "characters, or a whole number"
        )
    }
}

extension SNSService {
    /// Who a new endpoint belongs to, by what its app's setting finds in its data.
    func owner(of draft: PlatformEndpointDraft, in application: PlatformApplication) async throws -> Registration.Owner
    {
        guard let pointer = try await userPointer(of: application) else { return .unchanged }
        return try pointer.user(in: draft.customUserData).map(Registration.Owner.user) ?? .unchanged
    }

    /// Who an endpoint belongs to after a change: new data that name nobody make it anonymous, and one that is nobody's yet
    /// gets the user of the data that it has.
    func owner(
        of endpoint: Endpoint,
        after values: EndpointAttributes,
        in application: PlatformApplication
    ) async throws -> Registration.Owner {
        guard let pointer = try await userPointer(of: application) else { return .unchanged }
        if let data = values.customUserData {
            return try pointer.user(in: data).map(Registration.Owner.user) ?? .nobody
        }
        guard endpoint.user == nil, let user = try? pointer.user(in: endpoint.customUserData) else { return .unchanged }
        return .user(user)
    }

    private func userPointer(of application: PlatformApplication) async throws -> JSONPointer? {
        try await store.app(.row(application.app))?.settings.snsUserPointer
    }
}
