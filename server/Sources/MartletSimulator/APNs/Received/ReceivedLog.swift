/// The last pushes that a simulated APNs received.
typealias ReceivedLog = RecordLog<PackedPush>

extension PackedPush: LoggedRecord {}
