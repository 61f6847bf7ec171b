/// Which of Apple's two services a listener stands in for.
package enum APNsEnvironment: String, Sendable, Codable, CaseIterable {
    /// `api.push.apple.com`
    case production
    /// `api.sandbox.push.apple.com`; answers carry `apns-unique-id`.
    case sandbox
}
