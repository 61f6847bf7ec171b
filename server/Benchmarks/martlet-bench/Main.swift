import Foundation

/// Prints what Martlet spends, beside the floor of the same minute; only the ratios of one run count.
@main
enum Main {
    /// The most that a push may cost at the transport, as a multiple of the floor.
    static let goal = 1.0

    static func main() async throws {
        let server = try await MockServer()
        defer { server.stop() }
        print("CPU of our process for each push (user and system), beside h2load's on the same server.")
        print("\(column("what", 28))\(column("ours", 10))\(column("floor", 10))\(column("ratio", 8))goal   pushes/s")
        var (met, missed) = (0, 0)
        for streams in [100, 500] {
            let row = try await TransportBenchmark(server: server, requests: 200_000).run(streams: streams)
            if row.ratio <= goal { met += 1 } else { missed += 1 }
            print(
                column(row.name, 28) + column(String(format: "%.2f µs", row.ours), 10)
                    + column(String(format: "%.2f µs", row.floor), 10) + column(String(format: "%.2f", row.ratio), 8)
                    + String(format: "≤ %.1f  %.0f", goal, row.perSecond)
            )
        }
        print("\(met) goals met, \(missed) missed")
    }

    private static func column(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
