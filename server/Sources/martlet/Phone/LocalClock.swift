import Foundation
import MartletWire

/// The time of day where the reader is.
enum LocalClock {
    /// Hours and minutes, such as `09:05`.
    static func minutes(_ time: UTCTime) -> String { digits(time, \.tm_hour, \.tm_min) }

    /// Hours, minutes and seconds, such as `09:05:00`.
    static func seconds(_ time: UTCTime) -> String { digits(time, \.tm_hour, \.tm_min, \.tm_sec) }

    private static func digits(_ time: UTCTime, _ parts: KeyPath<tm, Int32>...) -> String {
        var seconds = time_t(time.milliseconds / 1_000)
        var local = tm()
        localtime_r(&seconds, &local)
        return parts.map { local[keyPath: $0] < 10 ? "0\(local[keyPath: $0])" : "\(local[keyPath: $0])" }
            .joined(separator: ":")
    }
}
