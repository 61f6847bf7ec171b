/// Which platform applications are asked for.
public enum PlatformApplicationSelection: Sendable, Hashable {
    /// That of a name. One that was made under the name goes before an app that is called so.
    case name(PlatformApplicationName)
    /// That of a queue.
    case queue(DeliveryQueue)
    /// A region's, which may be the server's own.
    case region(String, isHome: Bool)
}
