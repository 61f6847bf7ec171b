import Foundation

/// Attacks a server of its own with all that strangers have tried, and prints what got through.
///
/// Arguments choose: `matrix`, `signatures`, `addresses`, `requests`, `quotas`, `memory`, `slow`, `costs`, `crowding`; without one, all are
/// made. `--short` takes the loads for seconds in place of half a minute.
@main
enum Main {
    static func main() async {
        do {
            var arguments = Set(CommandLine.arguments.dropFirst())
            let isShort = arguments.remove("--short") != nil
            let all = attacks(isShort: isShort)
            if let odd = arguments.subtracting(all.map(\.name)).min() {
                let names = all.map(\.name).joined(separator: ", ")
                throw AttackFailure("There is no attack '\(odd)'; there are: \(names)")
            }
            exit(try await attack(all.filter { arguments.isEmpty || arguments.contains($0.name) }) ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(2)
        }
    }

    private static func attack(_ attacks: [Attack]) async throws -> Bool {
        try allowFiles(4_096)
        var (attempts, through) = (0, 0)
        for attack in attacks {
            // Each has a server of its own, so that what one leaves behind changes nothing for the next.
            let victim = try await Victim()
            let tally = try attack.run(victim)
            for line in tally.lines { say(line) }
            attempts += tally.attempts
            through += tally.through.count
            try await victim.stop()
        }
        say("\(attempts) attempts, \(through) got through")
        return through == 0
    }

    private typealias Attack = (name: String, run: @Sendable (Victim) throws -> Tally)

    private static func attacks(isShort: Bool) -> [Attack] {
        [
            ("matrix", { try Matrix.run($0) }), ("signatures", { try SignedCall.run($0) }),
            ("addresses", { try Addresses.run($0) }), ("requests", { try Requests.run($0) }),
            ("quotas", { try Quotas.run($0) }), ("memory", { try Memory.run($0, seconds: isShort ? 5 : 15) }),
            ("slow", { try SlowConnections.run($0, probes: isShort ? 300 : 1_000) }),
            ("costs", { try Costs.run($0) }), ("crowding", { try Crowding.run($0) }),
        ]
    }

    /// Not with `print`, which keeps lines back when it writes into a pipe.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
