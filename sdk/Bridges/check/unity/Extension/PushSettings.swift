// Written by each build of the game, from the asset of push notification settings.
nonisolated enum PushSettings {
    static let appGroup: String? = "group.com.example.game"
    static let apiURL: String? = "https://push.example.com"
    static let clientKey: String? = "key-with-\"-and-\\"
    static let app: String? = nil
    static let countsBadge = false
}
