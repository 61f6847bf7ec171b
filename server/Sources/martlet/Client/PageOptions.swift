import ArgumentParser

/// Which part of a list to show.
struct PageOptions: ParsableArguments {
    @Option(help: "How many to show, 1 to 1000.")
    var limit = 100

    @Option(help: "The cursor that the previous page printed.")
    var cursor: String?

    mutating func validate() throws {
        guard (1...1000).contains(limit) else { throw ValidationError("--limit is from 1 to 1000.") }
    }

    /// The parameters of the request.
    var parameters: [(String, String?)] { [("limit", String(limit)), ("cursor", cursor)] }
}
