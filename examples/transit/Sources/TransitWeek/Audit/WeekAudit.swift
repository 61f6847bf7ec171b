import Foundation
import Transit
import TransitCity

/// What the phones' own records say, beside what riders had to be told.
package struct WeekAudit: Sendable, Equatable {
    package var phones = 0
    package var versions = 0
    /// A phone and a version of which its rider had to hear.
    package var due = 0
    package var toldOnce = 0
    package var never = 0
    /// By two pushes with different ids.
    package var twice = 0
    /// Of a version that does not affect the rider.
    package var wrongly = 0
    /// The rider's last window was over about when the version was published: told or not, both are right.
    package var either = 0
    /// The same push again, under the same id, after a crash: it takes its own place on the screen.
    package var repeated = 0
    /// Alerts that still show though they are over.
    package var leftShowing = 0
    package var notes: [String] = []

    /// Nobody was forgotten, told twice, or told what does not concern them.
    package var isClean: Bool { never == 0 && twice == 0 && wrongly == 0 && due > 0 }

    init() {}

    mutating func add(_ pushes: [RecordedPush], of rider: String, _ published: PublishedVersions) {
        phones += 1
        var ids: [Int: [String]] = [:]
        for push in pushes {
            guard let text = push.text else { continue }
            guard let version = published.index(ofText: text) else {
                wrongly += 1
                note("\(rider) was told something that nobody published: \(text.prefix(60))")
                continue
            }
            ids[version, default: []].append(push.apnsID)
        }
        for (index, version) in published.versions.enumerated() {
            let got = ids[index] ?? []
            let distinct = Set(got).count
            repeated += got.count - distinct
            count(distinct, of: version, rider)
        }
    }

    private mutating func count(_ distinct: Int, of version: PublishedVersion, _ rider: String) {
        let what = "\(rider), \(version.headers.sorted().first ?? "")"
        if distinct > 1 {
            twice += 1
            note("twice: \(what)")
        }
        if version.must.contains(rider) {
            due += 1
            if distinct == 1 { toldOnce += 1 }
            if distinct == 0 {
                never += 1
                note("never: \(what)")
            }
        } else if version.may.contains(rider) {
            either += 1
        } else if distinct > 0 {
            wrongly += 1
            note("wrongly: \(what)")
        }
    }

    private mutating func note(_ line: String) {
        if notes.count < 20 { notes.append(line) }
    }
}
