/// How bad an alert says that it is; GTFS-Realtime's levels.
package enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
    case info, warning, severe

    private var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .severe: 2
        }
    }

    package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
}

/// What an alert does to the service; GTFS-Realtime's effects.
package enum Effect: String, Sendable, Codable, CaseIterable {
    case noService = "no_service"
    case reducedService = "reduced_service"
    case significantDelays = "significant_delays"
    case detour
    case additionalService = "additional_service"
    case modifiedService = "modified_service"
    case other
    case unknown
    case stopMoved = "stop_moved"
    case none = "no_effect"
    case accessibility = "accessibility_issue"
}
