import MartletCore
import MartletWire

/// One notification to one endpoint.
struct Delivery: Hashable {
    var notification: RowID<Notification>
    var endpoint: RowID<Endpoint>
}

/// What is promised of sending, see ``ModelTests``.
extension Run {
    /// Notes that a batch is leased while somebody works on it: never in one process, and of another one's only when its
    /// lease has ended by the clock of the one that takes it.
    func noteTakeover(of row: RowID<Batch>) throws {
        for job in jobs where job.batch.row == row {
            try expect(
                workers == .astray || job.process != process,
                "process \(process) works on batch \(row.rawValue) a second time"
            )
            try dispute(job)
        }
    }

    /// Notes that batches are gone that somebody works on: their time was over, and their lease too.
    func noteEnds(of rows: Set<RowID<Batch>>) throws {
        for job in jobs where rows.contains(job.batch.row) { try dispute(job) }
    }

    private func dispute(_ job: Job) throws {
        let row = job.batch.row.rawValue
        try expect(workers == .astray, "batch \(row) was taken from a worker that lives")
        note("batch \(row) is taken from \(job.lease.holder % 1_000)")
        disputed.formUnion(
            job.batch.members.map { Delivery(notification: job.batch.notification, endpoint: $0.endpoint) }
        )
    }

    /// Checks that a delivery may be sent by a worker now.
    func checkSending(_ endpoint: RowID<Endpoint>, by job: Job) throws {
        let delivery = Delivery(notification: job.batch.notification, endpoint: endpoint)
        let recorded = reference.sent[delivery.notification]?.results[endpoint]?.write
        try expect(
            recorded.map { $0 > job.leasedAt } ?? true,
            "endpoint \(endpoint.rawValue) is sent to by a worker that began after its answer was recorded"
        )
        guard !disputed.contains(delivery) else { return }
        try expect(recorded == nil, "endpoint \(endpoint.rawValue) is sent to after its answer was recorded")
        let others = jobs.filter { $0.batch.row != job.batch.row || $0.lease != job.lease }
        try expect(
            !others.contains { $0.batch.notification == delivery.notification && $0.hasOutstanding(endpoint) },
            "endpoint \(endpoint.rawValue) is sent to while another worker waits for its answer"
        )
    }
}

extension Job {
    /// Whether something was sent to an endpoint whose answer is not recorded.
    fileprivate func hasOutstanding(_ endpoint: RowID<Endpoint>) -> Bool {
        if case .sending(let sending) = phase { sending.outstanding.contains(endpoint) } else { false }
    }
}
