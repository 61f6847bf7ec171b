public import MartletWire

/// Which counts are asked for: whose, and from when until when in which steps. A pure value.
public struct CountSpan: Sendable, Hashable {
    /// Of this app; `nil` is all together.
    public var app: RowID<App>?
    /// Of this platform; `nil` is all together, and what was not made before a device was looked at too.
    public var platform: Platform?
    /// Where the first step begins.
    public let from: Timestamp
    /// Where the last step ends.
    public let to: Timestamp
    /// How long a step is.
    public let step: StatisticsStep

    /// How many steps at most. Ours: a day of minutes, or two months of hours.
    public static let pointLimit = 1_500
    /// For how long they are kept for each writer, before they are added up. Ours: nearly all that is taken out of an earlier
    /// minute has been by then.
    package static let writerRetention: Duration = .seconds(2 * 3_600)
    /// For how long counts are kept by the minute.
    public static let minuteRetention: Duration = .seconds(48 * 3_600)
    /// For how long they are kept by the hour.
    public static let hourRetention: Duration = .seconds(400 * 86_400)

    /// The steps that a time from one moment until another is in; none where the end is not after the beginning.
    public init(
        app: RowID<App>? = nil,
        platform: Platform? = nil,
        from: Timestamp,
        to: Timestamp,
        step: StatisticsStep
    ) {
        (self.app, self.platform, self.step) = (app, platform, step)
        self.from = step.start(of: from)
        let last = step.start(of: to - .milliseconds(1))
        self.to = from < to ? last + .milliseconds(step.milliseconds) : self.from
    }

    /// How many steps there are.
    public var pointCount: Int { Int((to.rawValue - from.rawValue) / step.milliseconds) }

    /// Refuses what would be no series, too long a one, or one of what is not kept any more.
    ///
    /// - Throws: `Failure` naming the query parameter.
    public func check(now: Timestamp) throws(Failure) {
        guard pointCount > 0 else {
            throw .invalid("from", "It must be before the end.", hint: "Without 'to' the end is now.")
        }
        guard pointCount <= Self.pointLimit else {
            throw .invalid(
                "step",
                "That would be \(pointCount) points; \(Self.pointLimit) are the most.",
                hint: "Ask for a longer step, or for less time."
            )
        }
        guard step != .minute || from >= StatisticsStep.hour.start(of: now - Self.minuteRetention) else {
            throw .invalid("from", "Minutes are kept for 48 hours.", hint: "Ask with step=hour for what is older.")
        }
    }
}

extension StatisticsStep {
    /// In milliseconds, the unit of timestamps.
    package var milliseconds: Int64 {
        switch self {
        case .minute: 60_000
        case .hour: 3_600_000
        case .day: 86_400_000
        }
    }

    /// The beginning of the step that a moment is in.
    package func start(of moment: Timestamp) -> Timestamp {
        let rest = moment.rawValue % milliseconds
        return Timestamp(milliseconds: moment.rawValue - (rest < 0 ? rest + milliseconds : rest))
    }
}

/// Counts over time, one for each step of a span, also where nothing happened. A pure value.
public struct CountSeries: Sendable, Hashable {
    /// What was asked for.
    public let span: CountSpan
    /// The steps, oldest first.
    public let counts: [OutcomeCounts]

    /// The series of what was found, by the beginnings of steps.
    package init(_ span: CountSpan, found: [Timestamp: OutcomeCounts]) {
        self.span = span
        counts = (0..<span.pointCount).map { found[span.moment($0)] ?? OutcomeCounts() }
    }

    /// When each step begins, and its counts.
    public var points: [(at: Timestamp, counts: OutcomeCounts)] {
        counts.enumerated().map { (span.moment($0.offset), $0.element) }
    }

    /// All steps together.
    public var total: OutcomeCounts { counts.reduce(into: OutcomeCounts()) { $0 += $1 } }
}

extension CountSpan {
    /// When a step begins.
    fileprivate func moment(_ index: Int) -> Timestamp {
        from + .milliseconds(Int64(index) * step.milliseconds)
    }
}
