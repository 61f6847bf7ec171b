import Foundation
import UserNotifications

extension Phone {
    /// The app asks for a token; the answer comes later, and only while the phone is online.
    func registerForPushes() {
        if let token, firebase == nil || firebaseToken != nil {
            tell(token)
            return
        }
        guard !isAwaitingToken else { return }
        isAwaitingToken = true
        let install = parts.install
        Task {
            await network.waitUntilOn()
            do {
                let new = try await ownToken()
                // Another install of the app asks for itself.
                guard install == parts.install else { return await link.giveUp(new) }
                if token == nil { take(new) }
                await askFirebase(install)
                guard install == parts.install else { return }
                isAwaitingToken = false
                tell(new)
            } catch {
                guard install == parts.install else { return }
                isAwaitingToken = false
                journal.add(.noToken)
                process?.failedToRegister(error)
            }
        }
    }

    private func ownToken() async throws -> Data {
        if let token { return token }
        return try await link.newToken(topic: app.bundleID, environment: settings.environment)
    }

    private func take(_ new: Data) {
        token = new
        journal.add(.token(new.hexadecimal))
        line = PushLine(to: self) { [link] in try await link.pushes(for: new, after: $0) }
    }

    /// Firebase's SDK sees Apple's token before the app does, and gets one of FCM's for it. Without an answer the app has
    /// Apple's alone until its next launch.
    private func askFirebase(_ install: Int) async {
        guard let firebase, firebaseToken == nil else { return }
        guard let new = try? await firebase.newToken() else { return journal.add(.noToken) }
        guard install == parts.install else { return await firebase.giveUp(new) }
        firebaseToken = new
        journal.add(.firebaseToken(new))
        firebaseLine = PushLine(to: self) { try await firebase.pushes(for: new, after: $0) }
    }

    private func tell(_ token: Data) {
        guard let process else { return }
        // Never from within the app's call: it has to be ready for an answer at any later time.
        Task {
            await process.gate.waitUntilRunning()
            guard process.gate.isOpen else { return }
            if let firebaseToken { process.received(firebaseToken: firebaseToken) }
            process.registered(token)
        }
    }

    func dropToken() {
        Task { await giveUpToken() }
    }

    func giveUpToken() async {
        endLines()
        let (old, oldOfFirebase) = (token, firebaseToken)
        (token, firebaseToken) = (nil, nil)
        if let old { await link.giveUp(old) }
        if let oldOfFirebase { await firebase?.giveUp(oldOfFirebase) }
    }

    func endLines() {
        line?.end()
        firebaseLine?.end()
        (line, firebaseLine) = (nil, nil)
    }
}

/// The reading of a token's pushes, for as long as the token is the phone's.
final class PushLine: Sendable {
    /// Nanoseconds after which the other side is asked again when it could not be.
    private static let pause: UInt64 = 500_000_000

    private let task: Task<Void, Never>

    /// - Parameter read: asks for the pushes after those that were taken.
    init(to phone: Phone, read: @escaping @Sendable (_ taken: Int) async throws -> PushPage) {
        let network = phone.network
        task = Task { [weak phone] in
            var taken = 0
            while !Task.isCancelled {
                await network.waitUntilOn()
                do {
                    let page = try await read(taken)
                    // What came while the network was off did not come: it is asked for again.
                    guard network.isOn else { continue }
                    for push in page.pushes {
                        guard !Task.isCancelled, let phone else { return }
                        await phone.receive(push)
                    }
                    taken = page.next
                } catch {
                    try? await Task.sleep(nanoseconds: Self.pause)
                }
            }
        }
    }

    func end() {
        task.cancel()
    }
}
