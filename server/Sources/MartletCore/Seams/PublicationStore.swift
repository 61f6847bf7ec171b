/// Messages to topics.
public protocol PublicationStore: Sendable {
    /// Writes messages to topics with their notifications in one transaction, all or none, in their order. One that
    /// repeats a message of its FIFO topic within ``PublicationOrder/window`` writes nothing and gets that message's id
    /// and number; the first of several in the same call counts.
    ///
    /// - Throws: `Failure` as ``NotificationStore/submit(_:)`` does, and ``ErrorCode/notFound`` for a topic that is
    ///   gone.
    func publish(_ publications: [Publication]) async throws -> [Published]
}
