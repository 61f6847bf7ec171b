public import Foundation

/// A site on `http://localhost` whose page does what a test orders and reports how it is then: a folder of files that
/// `Tests/Browsers/browser.py` serves.
public final class BrowserSite: Sendable {
    /// The server of the site.
    public let process: ProgramProcess
    /// Its origin, such as `http://localhost:40123`.
    public let origin: String

    private struct Serving: Decodable { var url: String }

    /// How long a page has to do what it was told, in seconds, before it is told again: one that is being loaded hears
    /// nothing.
    private static let timeout = 10.0
    /// How often it is told.
    private static let attempts = 9

    /// Serves a folder.
    public init(_ folder: String) async throws {
        process = try ProgramProcess(
            ["python3", "-B", Program.root + "/server/Tests/Browsers/browser.py", "none", "--site", folder],
            executable: "/usr/bin/env"
        )
        let line = try await process.line(containing: #""kind":"serving""#)
        let url = try JSONDecoder().decode(Serving.self, from: Data(line.utf8)).url
        origin = String(url.dropLast())
    }

    /// Tells the page what to do until it reports that it did.
    ///
    /// - Parameter words: what its script knows; done twice it must be the same as once.
    /// - Returns: the report.
    public func order(_ words: String) async throws -> Data {
        let address = origin.replacing("localhost", with: "127.0.0.1") + "/order"
        var failure: (any Error)?
        for _ in 0..<Self.attempts {
            let number = UUID().uuidString
            _ = try await LocalCall.send("POST", address, "\(number) \(words)")
            do {
                return Data(try await process.line(containing: number, within: Self.timeout).utf8)
            } catch {
                failure = error
            }
        }
        throw failure ?? ProgramProcess.Failure(description: "the page did nothing")
    }
}
