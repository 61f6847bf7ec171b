/// What a look for due batches came to.
public struct LeasedBatches: Sendable, Hashable {
    /// The batches.
    public var batches: [Batch]
    /// What was taken out of them, or of batches of which nothing was left.
    public var suppressions: [Suppression]

    package init(batches: [Batch] = [], suppressions: [Suppression] = []) {
        self.batches = batches
        self.suppressions = suppressions
    }
}
