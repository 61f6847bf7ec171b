/// A model that calls when it has changed.
@MainActor
protocol ChangingModel: AnyObject {
    var onChange: () -> Void { get set }
}

#if canImport(SwiftUI) && !os(tvOS)
    import Combine

    /// What a view watches. The models do without Combine, so that they run wherever the SDK's core does.
    @available(iOS 15.0, macOS 12.0, *)
    @MainActor
    final class Observed<Model: ChangingModel>: ObservableObject {
        let model: Model
        @Published private var changes = 0

        init(_ model: Model) {
            self.model = model
            model.onChange = { [weak self] in self?.changes += 1 }
        }
    }
#endif
