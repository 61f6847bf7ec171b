public import Foundation

/// The way to Firebase Cloud Messaging of a phone whose app has Firebase's SDK beside ours.
public protocol FCMLink: Sendable {
    /// A new registration token for the app.
    ///
    /// - Throws: what stands in the way; the app asks again at its next launch.
    func newToken() async throws -> String
    /// Gives a token up: messages to it are refused from then on.
    func giveUp(_ token: String) async
    /// What FCM had APNs bring to the phone since what was taken; waits a while for some.
    ///
    /// - Throws: when FCM cannot be asked; the phone asks again later.
    func pushes(for token: String, after taken: Int) async throws -> PushPage
}

/// The way to Martlet's simulated FCM, by its control API (`docs/simulator.md`, `/fcm/devices`).
public struct SimulatedFCMLink: FCMLink {
    private let caller: SimulatorCaller
    private let project: String

    /// - Parameters:
    ///   - control: the address of the control API, such as `http://127.0.0.1:8444`.
    ///   - project: the Firebase project of the app.
    public init(control: URL, project: String) {
        caller = SimulatorCaller(devices: control.appendingPathComponent("fcm/devices"))
        self.project = project
    }

    /// `POST /fcm/devices`.
    public func newToken() async throws -> String {
        try await caller.newToken(["project": project, "platform": "ios"])
    }

    /// `DELETE /fcm/devices/{token}`; a simulator that is gone needs not be told.
    public func giveUp(_ token: String) async { await caller.giveUp(token) }

    /// `GET /fcm/devices/{token}/messages`.
    public func pushes(for token: String, after taken: Int) async throws -> PushPage {
        try await caller.page("messages", of: token, after: taken) { try Push(fcmMessage: $0) }
    }
}
