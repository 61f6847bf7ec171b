public import Foundation

/// Where a token is valid.
public enum PhoneEnvironment: String, Sendable, Codable {
    /// For apps from Xcode.
    case sandbox
    /// For apps from the App Store and TestFlight.
    case production
}

/// Pushes that wait for a phone.
public struct PushPage: Sendable {
    /// The oldest first.
    public var pushes: [Push]
    /// Given back with the next request, it says that these were taken.
    public var next: Int

    public init(pushes: [Push], next: Int) {
        self.pushes = pushes
        self.next = next
    }
}

/// A phone's way to APNs.
public protocol APNsLink: Sendable {
    /// A new token for an app.
    ///
    /// - Throws: what stands in the way; the app is told that it has no token.
    func newToken(topic: String, environment: PhoneEnvironment) async throws -> Data
    /// Gives a token up: pushes to it are refused from then on.
    func giveUp(_ token: Data) async
    /// The pushes accepted for the token after those taken; waits a while for some.
    ///
    /// - Throws: when APNs cannot be asked; the phone asks again later.
    func pushes(for token: Data, after taken: Int) async throws -> PushPage
}

/// No APNs: tokens are made up, and pushes come only by `Phone.receive(_:)`.
public struct NoAPNs: APNsLink {
    /// No APNs.
    public init() {}

    /// 32 random bytes.
    public func newToken(topic: String, environment: PhoneEnvironment) async throws -> Data {
        Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// Nobody to tell.
    public func giveUp(_ token: Data) async {}

    /// Never any: waits until the task is cancelled.
    public func pushes(for token: Data, after taken: Int) async throws -> PushPage {
        let (stream, _) = AsyncStream<Never>.makeStream()
        for await _ in stream {}
        throw CancellationError()
    }
}
