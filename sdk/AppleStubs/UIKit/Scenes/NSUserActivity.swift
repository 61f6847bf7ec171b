/// The type of an activity that is a page of the web: somebody followed a universal link.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

/// What a person did that goes on in the app. Apple's is Foundation's, which has none on Linux.
open class NSUserActivity: NSObject {
    /// What kind of activity it is.
    public let activityType: String
    /// The page that it is about.
    open var webpageURL: URL?

    /// An activity.
    public init(activityType: String) {
        self.activityType = activityType
        super.init()
    }
}

/// What in an app takes an activity's state.
@MainActor
public protocol UIUserActivityRestoring: NSObjectProtocol {
    /// Takes the state.
    func restoreUserActivityState(_ activity: NSUserActivity)
}
