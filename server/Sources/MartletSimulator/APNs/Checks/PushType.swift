/// A value of `apns-push-type` with its rules (Apple, "Sending notification requests to APNs").
enum PushType: String, Sendable, CaseIterable {
    case alert, background, voip, complication, fileprovider, mdm, liveactivity, pushtotalk, location, widgets, controls

    /// What the topic has after the app's bundle id.
    var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .voip: ".voip"
        case .complication: ".complication"
        case .fileprovider: ".pushkit.fileprovider"
        case .liveactivity: ".push-type.liveactivity"
        case .pushtotalk: ".voip-ptt"
        case .location: ".location-query"
        case .widgets: ".push-type.widgets"
        case .controls: ".push-type.controls"
        }
    }

    /// The values of `apns-priority` that the type allows.
    var priorities: [Int] {
        switch self {
        case .alert, .complication, .fileprovider, .mdm, .widgets, .controls: [10, 5, 1]
        case .background: [5]
        case .voip, .pushtotalk: [10]
        case .liveactivity, .location: [10, 5]
        }
    }

    /// The largest payload in bytes.
    var payloadLimit: Int { self == .voip ? 5_120 : 4_096 }

    /// The type that a topic's suffix stands for when the request names none.
    ///
    /// Apple requires the header only for watchOS 6 and later, so an absent one is no error.
    static func implied(by suffix: String) -> PushType {
        suffix.isEmpty ? .alert : allCases.first { $0.topicSuffix == suffix } ?? .alert
    }

    /// The suffixes that a topic can have; none is the end of another one.
    static let topicSuffixes = allCases.map(\.topicSuffix).filter { !$0.isEmpty }
}
