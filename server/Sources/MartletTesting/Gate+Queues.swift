package import MartletCore
import MartletWire

extension Gate {
    /// A gate for these queues; what is of no known environment is tried in production first.
    package init(app: RowID<App>, queues: Set<DeliveryQueue>) {
        let environments = [Environment.production, .sandbox]
        self.init(
            device: DeviceGate(
                app: app,
                queues: queues,
                environments: Dictionary(uniqueKeysWithValues: Platform.allCases.map { ($0, environments) })
            )
        )
    }
}
