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
        if pipelined >= Self.pipelineLimit { try finishPipeline() }
    }

    /// Reads the answers of all that was sent into the pipeline, and ends it.
    ///
    /// - Throws: `PostgresError` where one is wrong.
    func finishPipeline() throws { if pipelined > 0 { PQclear(try check(pipelineAnswers()).last ?? nil) } }

    /// Sends statements without waiting for one before the next.
    ///
    /// - Returns: their answers, in their order.
    /// - Throws: `PostgresError` where one is wrong, or what stands before it in the pipeline.
    func ask(_ questions: [(OpaquePointer?) -> Int32]) throws -> [OpaquePointer?] {
        // What is asked does not count among what a pipeline holds at most: there are a dozen texts of questions.
        if pipelined == 0 { guard PQenterPipelineMode(handle) == 1 else { throw error(nil) } }
        for send in questions {
            guard send(handle) == 1 else { throw error(nil) }
            pipelined += 1
        }
        return try check(pipelineAnswers(questions.count))
    }

    private func check(_ answers: [OpaquePointer?]) throws -> [OpaquePointer?] {
        guard let last = answers.last, Self.isGood(last) else { throw error(answers.last ?? nil) }
        return answers
    }

    /// Reads the answers of all that was sent into the pipeline, whatever they are, and ends it.
    func endPipeline() { if pipelined > 0 { for answer in pipelineAnswers() { PQclear(answer) } } }

    private static func isGood(_ result: OpaquePointer?) -> Bool {
        [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result))
    }

    /// Ends the pipeline with all of its answers; the last ones, or the first that is wrong: what stands behind that was not
    /// run. None where one did not come in time.
    func pipelineAnswers(_ wanted: Int = 1) -> [OpaquePointer?] {
        let deadline = deadline
        let count = PQpipelineSync(handle) == 1 ? pipelined : 0
        pipelined = 0
        var answers: [OpaquePointer?] = []
        for index in 0..<count {
            guard let next = result(until: deadline) else {
                for answer in answers { PQclear(answer) }
                return []
            }
            let isLate = answers.last.map { !Self.isGood($0) } ?? false
            if isLate || index < count - wanted && Self.isGood(next) {
                PQclear(next)
            } else if Self.isGood(next) {
                answers.append(next)
            } else {
                for answer in answers { PQclear(answer) }
                answers = [next]
            }
        }
        // The answer to the pipeline's end.
        PQclear(result(until: deadline))
        PQexitPipelineMode(handle)
        return answers
    }
}
