extension FileManager {
    /// The folder that the apps and extensions of an app group share; there is none here, phones bring their own.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        nil
    }
}
