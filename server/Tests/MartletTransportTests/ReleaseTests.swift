import NIOCore
import Testing

@testable import MartletTransport

/// What a connection holds is given back when it is closed.
@Suite(.timeLimit(.minutes(4)))
struct ReleaseTests {
    /// What the session and its connection hold, and nobody else; gone when both of them are.
    private struct Held {
        weak var shared: ClientShared?
        var eventLoop: any EventLoop
    }

    private func useAndClose(_ server: ScriptedServer) async throws -> Held {
        let connection = try await server.connect()
        #expect(await connection.send(.plain, path: "/").status == 200)
        let held = Held(shared: connection.shared, eventLoop: connection.eventLoop)
        await connection.close()
        return held
    }

    @Test func aClosedConnectionLeavesNoSessionBehind() async throws {
        try await ScriptedServer.with { server in
            let held = try await useAndClose(server)
            // What the loop has yet to do when the socket is closed is done within a few turns; 1,000 are no wait.
            var turns = 0
            while held.shared != nil, turns < 1000 {
                try await held.eventLoop.submit {}.get()
                turns += 1
            }
            #expect(held.shared == nil)
        }
    }
}
