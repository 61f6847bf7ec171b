/// What kind of numbers a metric has, as `# TYPE` says it.
public enum MetricKind: String, Sendable {
    /// Only grows.
    case counter
    /// Goes up and down.
    case gauge
    /// Counts by bucket.
    case histogram

    /// The label that the kind uses itself.
    var reservedLabel: String? { self == .histogram ? "le" : nil }

    /// The names under which a metric's lines stand.
    func lineNames(_ name: String) -> [String] {
        self == .histogram ? [name, name + "_bucket", name + "_sum", name + "_count"] : [name]
    }
}

/// All series of one metric.
struct MetricFamily: Sendable {
    /// The labels of the one series that takes what is over the bound.
    static let overflow = "overflow=\"true\""

    /// The metric's name.
    let name: String
    /// What kind of numbers it has.
    let kind: MetricKind
    /// What stands behind `# HELP`.
    let help: String
    /// The series by their labels.
    private(set) var series: [String: any Series] = [:]
    /// The one that takes what is over the bound.
    private(set) var overflow: (any Series)?

    /// A family without series.
    init(name: String, kind: MetricKind, help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// The series with these labels, made when there is none.
    ///
    /// - Returns: the series, and whether it is the one that takes what is over the bound; `nil` when the labels
    ///   belong to a series of another Swift type.
    mutating func series<S: Series>(_ labels: String, bound: Int, make: () -> S) -> (S, Bool)? {
        if let known = series[labels] { return (known as? S).map { ($0, false) } }
        if series.count < bound {
            let new = make()
            series[labels] = new
            return (new, false)
        }
        if let known = overflow { return (known as? S).map { ($0, true) } }
        let new = make()
        overflow = new
        return (new, true)
    }

    /// Adds a series under labels that have none; says whether there was capacity.
    mutating func add(_ new: some Series, labels: String, bound: Int) -> Bool {
        guard series.count < bound, series[labels] == nil else { return false }
        series[labels] = new
        return true
    }

    /// Forgets a series; the one for what is over the bound stays, since others use it.
    ///
    /// - Returns: whether it was here.
    mutating func remove(_ object: AnyObject) -> Bool {
        guard let entry = series.first(where: { $0.value === object }) else { return false }
        series[entry.key] = nil
        return true
    }

    /// Appends the family's lines, series by labels.
    func write(to text: inout String) {
        text += "# HELP \(name) \(MetricName.escape(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
        for (labels, series) in series.sorted(by: { $0.key < $1.key }) {
            series.write(name: name, labels: labels, to: &text)
        }
        overflow?.write(name: name, labels: MetricFamily.overflow, to: &text)
    }
}
