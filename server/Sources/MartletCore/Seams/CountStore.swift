/// Numbers over time.
public protocol CountStore: Sendable {
    /// How many deliveries came to which end, and how many events were received, step by step.
    ///
    /// Each is counted in the transaction that records it, in its minute; a delivery that has another end in place of the
    /// first, as a dead letter that is retried, is taken out of the minute of the first. The purge of
    /// ``RetentionTable/minuteCounts`` adds minutes up to hours; minutes are kept for ``CountSpan/minuteRetention`` beside
    /// them.
    func counts(over span: CountSpan) async throws -> CountSeries
}
