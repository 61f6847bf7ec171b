import CLibPQ
import Foundation
import MartletCore

extension PostgresConnection {
    /// How much longer than a statement may take an answer is waited for: who is alive ends the statement itself and says
    /// so.
    static let grace: Duration = .seconds(5)

    /// Sends something, and returns its last result as `PQexec` does; `nil`, where it could not be sent or had no answer by
    /// the deadline: libpq itself waits for ever where a peer is there and says nothing. Where something before it in the
    /// pipeline was wrong, that is the result.
    func answer(_ send: (OpaquePointer?) -> Int32) -> OpaquePointer? {
        guard !isSilent, handle != nil, send(handle) == 1 else { return nil }
        guard pipelined > 0 else { return result(until: deadline) }
        pipelined += 1
        return pipelineAnswers().last ?? nil
    }

    /// When an answer is late that is waited for from now on.
    var deadline: ContinuousClock.Instant? { answerLimit.map { ContinuousClock.now + $0 } }

    /// The last result of what was sent first.
    func result(until deadline: ContinuousClock.Instant?) -> OpaquePointer? {
        var last: OpaquePointer?
        while !isSilent {
            // What is sent has left before an answer comes.
            while PQisBusy(handle) == 1 {
                guard wait(until: deadline) else {
                    PQclear(last)
                    isSilent = true
                    return nil
                }
                // A broken connection is a result that says so.
                if PQconsumeInput(handle) == 0 { break }
            }
            guard let result = PQgetResult(handle) else { return last }
            PQclear(last)
            last = result
            // Nothing stands behind it until something else is sent.
            if PQresultStatus(last) == PGRES_PIPELINE_SYNC || PQstatus(handle) == CONNECTION_BAD { return last }
        }
        return last
    }

    /// Waits for something to read, and meanwhile sends on; says whether there was any before the deadline.
    private func wait(until deadline: ContinuousClock.Instant?) -> Bool {
        while true {
            let unsent = PQflush(handle)
            guard unsent >= 0 else { return true }
            let left = deadline.map { $0 - .now }
            if let left, left <= .zero { return false }
            var state = pollfd(
                fd: PQsocket(handle),
                events: Int16(POLLIN) | (unsent == 1 ? Int16(POLLOUT) : 0),
                revents: 0
            )
            let milliseconds = left.map { Int32(clamping: $0.milliseconds + 1) } ?? -1
            let found = poll(&state, 1, milliseconds)
            if found < 0, errno != EINTR { return true }
            if found > 0, state.revents & ~Int16(POLLOUT) != 0 { return true }
        }
    }
}
