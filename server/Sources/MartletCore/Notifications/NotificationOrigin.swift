/// What a notification came of.
public enum NotificationOrigin: Sendable, Hashable {
    /// Somebody asked for it.
    case caller
    /// It tells of a delivery that failed. None of its own deliveries is told of: a topic whose own subscriber fails would
    /// never come to an end.
    case deliveryFailure
}
