/// Who calls: what stands behind `Authorization: Bearer`.
enum Kind: String, CaseIterable {
    case none = "nobody"
    case garbage = "a key that was never made"
    case revoked = "a revoked admin key"
    case accessKey = "the secret of an access key"
    case forgedUser = "a user token with another signature"
    case unsignedUser = "a user token without a signature"
    case expiredUser = "an expired user token"
    case user = "the user"
    case otherUser = "another user"
    case client = "the app's client key"
    case send = "the app's send key"
    case admin = "the app's admin key"
    case otherClient = "another app's client key"
    case otherSend = "another app's send key"
    case otherAdmin = "another app's admin key"
    case `operator` = "the operator's key"
}
