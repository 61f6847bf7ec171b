import MartletCore

/// Foundation has a type of this name as well.
typealias Notification = MartletCore.Notification
