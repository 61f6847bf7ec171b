import Foundation
import PushNotificationSDKCore

#if canImport(os)
    import os
#endif

extension Log {
    /// The system's unified log, under the subsystem `martlet`: `Logger` where the system has it, `os_log` before iOS 14.
    static let unified: Sink = { level, message in
        #if canImport(os)
            if #available(iOS 14, tvOS 14, *) {
                Logger(subsystem: "martlet", category: "push").log(
                    level: type(of: level),
                    "\(message, privacy: .public)"
                )
            } else {
                let log = OSLog(subsystem: "martlet", category: "push")
                os_log("%{public}@", log: log, type: type(of: level), message as NSString)
            }
        #else
            systemSink(level, message)
        #endif
    }

    #if canImport(os)
        private static func type(of level: PushLogLevel) -> OSLogType {
            switch level {
            case .off, .debug: .debug
            case .error: .error
            case .warning: .default
            case .info: .info
            }
        }
    #endif
}
