import Foundation
import Testing

extension Trait where Self == TimeLimitTrait {
    /// A minute for each test, or as many as `MARTLET_SLOWNESS` says: a sanitizer makes all of it slower.
    static var stageLimit: Self {
        let slowness = ProcessInfo.processInfo.environment["MARTLET_SLOWNESS"].flatMap(Int.init) ?? 1
        return .timeLimit(.minutes(max(1, slowness)))
    }
}
