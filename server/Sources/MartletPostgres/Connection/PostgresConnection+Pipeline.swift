import CLibPQ

/// Statements of a transaction that are sent without waiting for their answers (libpq's pipeline mode, PostgreSQL manual,
/// section 34.5).
extension PostgresConnection {
    /// How many statements are sent at most before their answers are read. Ours: what a commit of a group has, and a few
    /// hundred kilobytes.
    private static let pipelineLimit = 1_000

    /// Sends a statement into the transaction's pipeline. What is wrong with it is the answer to a later one.
    ///
    /// - Throws: `PostgresError` where the connection is broken.
    func post(_ send: (OpaquePointer?) -> Int32) throws {
        if pipelined == 0 { guard PQenterPipelineMode(handle) == 1 else { throw error(nil) } }
        guard send(handle) == 1 else { throw error(nil) }
        pipelined += 1
        guard pipelined >= Self.pipelineLimit else { return }
        let last = pipelineAnswer()
        guard Self.isGood(last) else { throw error(last) }
        PQclear(last)
    }

    /// Reads the answers of all that was sent into the pipeline, whatever they are, and ends it.
    func endPipeline() { if pipelined > 0 { PQclear(pipelineAnswer()) } }

    private static func isGood(_ result: OpaquePointer?) -> Bool {
        [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result))
    }

    /// Ends the pipeline with all of its answers; the last one, or the first that is wrong: what stands behind that was not
    /// run.
    func pipelineAnswer() -> OpaquePointer? {
        let deadline = deadline
        let count = PQpipelineSync(handle) == 1 ? pipelined : 0
        pipelined = 0
        var last: OpaquePointer?
        for index in 0..<count {
            guard let next = result(until: deadline) else {
                PQclear(last)
                return nil
            }
            if index > 0, !Self.isGood(last) {
                PQclear(next)
            } else {
                PQclear(last)
                last = next
            }
        }
        // The answer to the pipeline's end.
        PQclear(result(until: deadline))
        PQexitPipelineMode(handle)
        return last
    }
}
