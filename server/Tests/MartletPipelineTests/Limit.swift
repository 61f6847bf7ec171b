import Foundation
import Testing

extension Trait where Self == TimeLimitTrait {
    /// Two minutes for each test, or as many more as `MARTLET_SLOWNESS` says: a sanitizer makes all of it slower. Beside another
    /// suite on two cores the longest have taken one.
    static var stageLimit: Self {
        let slowness = ProcessInfo.processInfo.environment["MARTLET_SLOWNESS"].flatMap(Int.init) ?? 1
        return .timeLimit(.minutes(2 * max(1, slowness)))
    }
}
