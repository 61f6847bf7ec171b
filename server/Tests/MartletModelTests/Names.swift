import MartletCore

/// The domain's, not Foundation's.
typealias Notification = MartletCore.Notification
