import Foundation
import PushNotificationSDKCore
import UIKit

/// One answer to the system from several delegates: the best of theirs, once all have answered.
final class CombinedAnswer: Sendable {
    private struct State {
        var missing: Int
        var best = UIBackgroundFetchResult.noData
    }

    private let state: Locked<State>
    private let completion: MainCompletion<UIBackgroundFetchResult>

    init(of count: Int, _ completion: @escaping (UIBackgroundFetchResult) -> Void) {
        state = Locked(State(missing: count))
        self.completion = MainCompletion(completion)
    }

    /// A delegate's answer; one beyond the expected number is passed over.
    func add(_ result: UIBackgroundFetchResult) {
        let last: UIBackgroundFetchResult? = state.with { state in
            guard state.missing > 0 else { return nil }
            state.missing -= 1
            if result == .newData || (result == .failed && state.best == .noData) { state.best = result }
            return state.missing == 0 ? state.best : nil
        }
        if let last { completion(last) }
    }
}

/// One completion for several delegates, called on the main thread once all are done.
final class CombinedCompletion: Sendable {
    private let missing: Locked<Int>
    private let completion: MainCompletion<Void>

    init(of count: Int, _ completion: @escaping () -> Void) {
        missing = Locked(count)
        self.completion = MainCompletion(completion)
    }

    /// A delegate is done.
    func add() {
        let isLast = missing.with { missing in
            missing -= 1
            return missing == 0
        }
        if isLast { completion(()) }
    }
}
