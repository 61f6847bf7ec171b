import Foundation

/// Attacks a server of its own with all that strangers have tried, and prints what got through.
///
/// `--short` takes the loads for seconds in place of half a minute.
@main
enum Main {
    static func main() async {
        do {
            let arguments = CommandLine.arguments.dropFirst()
            guard arguments.allSatisfy({ $0 == "--short" }) else { throw AttackFailure("usage: martlet-attack [--short]") }
            exit(try await attack(isShort: !arguments.isEmpty) ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(2)
        }
    }

    private static func attack(isShort: Bool) async throws -> Bool {
        try allowFiles(4_096)
        var (attempts, through) = (0, 0)
        for attack in attacks(isShort: isShort) {
            // Each has a server of its own, so that what one leaves behind changes nothing for the next.
            let victim = try await Victim()
            let tally = try attack(victim)
            for line in tally.lines { say(line) }
            attempts += tally.attempts
            through += tally.through.count
            try await victim.stop()
        }
        say("\(attempts) attempts, \(through) got through")
        return through == 0
    }

    private static func attacks(isShort: Bool) -> [(Victim) throws -> Tally] {
        [
            { try Matrix.run($0) }, { try SignedCall.run($0) }, { try Addresses.run($0) }, { try Requests.run($0) },
            { try Quotas.run($0) }, { try Memory.run($0, seconds: isShort ? 5 : 15) },
            { try SlowConnections.run($0, probes: isShort ? 300 : 1_000) },
        ]
    }

    /// Not with `print`, which keeps lines back when it writes into a pipe.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
