import Foundation
import UserNotifications

extension Phone {
    /// The app asks for a token; the answer comes later, and only while the phone is online.
    func registerForPushes() {
        if let token {
            tell(token)
            return
        }
        guard !isAwaitingToken else { return }
        isAwaitingToken = true
        let install = parts.install
        Task {
            await network.waitUntilOn()
            do {
                let new = try await link.newToken(topic: app.bundleID, environment: settings.environment)
                // Another install of the app asks for itself.
                guard install == parts.install else { return await link.giveUp(new) }
                isAwaitingToken = false
                token = new
                journal.add(.token(new.hexadecimal))
                line = PushLine(to: self, token: new, link: link)
                tell(new)
            } catch {
                guard install == parts.install else { return }
                isAwaitingToken = false
                journal.add(.noToken)
                process?.failedToRegister(error)
            }
        }
    }

    private func tell(_ token: Data) {
        guard let process else { return }
        // Never from within the app's call: it has to be ready for an answer at any later time.
        Task {
            await process.gate.waitUntilRunning()
            if process.gate.isOpen { process.registered(token) }
        }
    }

    func dropToken() {
        Task { await giveUpToken() }
    }

    func giveUpToken() async {
        line?.end()
        line = nil
        guard let old = token else { return }
        token = nil
        await link.giveUp(old)
    }
}

/// The reading of a token's pushes, for as long as the token is the phone's.
final class PushLine: Sendable {
    /// Nanoseconds after which APNs is asked again when it could not be.
    private static let pause: UInt64 = 500_000_000

    private let task: Task<Void, Never>

    init(to phone: Phone, token: Data, link: any APNsLink) {
        let network = phone.network
        task = Task { [weak phone] in
            var taken = 0
            while !Task.isCancelled {
                await network.waitUntilOn()
                do {
                    let page = try await link.pushes(for: token, after: taken)
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
