import MartletCore

/// What processes share, over a dictionary.
actor KeptValues {
    nonisolated var agree: ProviderTokenStore.Agreement { { await self.sharedValue($0, proposing: $1) } }
    private var values: [String: SharedValue] = [:]
    private(set) var writes = 0
    var names: [String] { Array(values.keys) }

    func sharedValue(_ name: String, proposing proposal: SharedValue.Proposal? = nil) -> SharedValue? {
        if let proposal, values[name]?.madeAt == proposal.seen {
            values[name] = proposal.value
            writes += 1
        }
        return values[name]
    }
}
