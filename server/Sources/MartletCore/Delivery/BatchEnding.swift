/// What ends with a batch that was cancelled or whose time ran out, and that no worker settles. A pure value.
package struct BatchEnding: Sendable, Hashable {
    /// How its deliveries end.
    package let state: DeliveryResult.State
    /// What is recorded, of each member without a result.
    package let results: [DeliveryResult]
    /// How many deliveries are only counted, because the batch cannot be read: the notification comes to its end.
    package let unreadable: Int

    /// Decides.
    ///
    /// - Parameters:
    ///   - batch: `nil` where it cannot be read.
    ///   - waiting: how many of its members have no result, as far as its workers said.
    ///   - settled: those of its endpoints of which a result is known.
    package init(_ batch: Batch?, isCancelled: Bool, waiting: Int, settled: Set<RowID<Endpoint>>) {
        let state: DeliveryResult.State = isCancelled ? .cancelled : .expired
        self.state = state
        unreadable = batch == nil ? waiting : 0
        results =
            batch.map { batch in
                batch.members.filter { !settled.contains($0.endpoint) }
                    .map { DeliveryResult(member: $0, state: state, attempts: batch.attempts) }
            } ?? []
    }
}
