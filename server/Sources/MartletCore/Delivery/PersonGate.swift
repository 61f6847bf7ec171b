/// The gate's first stage: decides for a person whether something is sent to them. A pure value.
///
/// The dedup claim is made for whoever passes, in the transaction that writes the part. Whoever gets nothing is not claimed,
/// because the claim would only be given back when the notification is over.
public struct PersonGate: Sendable, Hashable {
    package init() {}

    /// What is done for a person.
    enum Decision: Hashable {
        /// Their devices are decided on.
        case push
        /// Nothing is sent to any of their devices; recorded once, for the person.
        case suppress(Suppression.Reason)
    }

    /// Decides on one person.
    func decide(_ person: Person) -> Decision {
        person.candidates.isEmpty ? .suppress(.noEndpoint) : .push
    }
}

/// A user with those of their endpoints that stand together in a part of an audience, or an endpoint of nobody.
struct Person: Hashable {
    /// Who it is, as the dedup claim has it.
    var subject: Subject
    /// Where the endpoints stand among the part's candidates.
    var candidates: Range<Int> = 0..<0
}

extension Person {
    /// The person whose first candidate stands at an index.
    init(at start: Int, of candidates: [Candidate]) {
        let first = candidates[start].member
        var end = start + 1
        if let user = first.user {
            while end < candidates.count, candidates[end].member.user == user { end += 1 }
        }
        self.init(subject: first.subject, candidates: start..<end)
    }
}
