import MartletTesting

extension FaultCase {
    /// The clock of the day is set while deliveries run, the server's and the provider's.
    static let clocks = [
        // Tokens that an hour has passed for do not end what is under way, so that its leases are looked at.
        FaultCase(
            name: "the clock is set an hour on",
            needsOwnClock: true,
            isRecorded: true,
            answerSeconds: 10,
            simulator: ["--any-token-time"]
        ) { scene in
            // Longer than it takes until the server looks for work again.
            try await scene.slowDown(by: 1_500)
            try await scene.send()
            try await scene.untilReceived(scene.share(4))
            try await scene.moveClock(by: hour)
        },
        // The token in use is an hour ahead then, which the provider would refuse.
        FaultCase(name: "the clock is set an hour back", needsOwnClock: true, isRecorded: true, answerSeconds: 10) {
            scene in
            // Some wait for their next attempt when it happens, and others for their answers.
            let unavailable = #"{"do": "respond", "reason": "ServiceUnavailable"}"#
            try await scene.simulator.script(
                #"{"every": 4, "times": \#(scene.share(4)), "delay": 700, "then": \#(unavailable)}"#
            )
            try await scene.simulator.script(#"{"every": 2, "delay": 700, "then": {"do": "proceed"}}"#)
            try await scene.slowDown(by: 1_500)
            try await scene.send(retryAfter: 3)
            try await scene.until("some wait for their next attempt") {
                let waiting = "SELECT count(*) FROM batches WHERE state = 0"
                return try await scene.sqlite(waiting).result().standardOutput != "0\n"
            }
            try await scene.moveClock(by: -hour)
        },
    ]

    private static let hour = 3_600
}
