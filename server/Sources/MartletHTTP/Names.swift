import MartletCore

// Foundation and Hummingbird have types of these names; in this module they mean the domain's.
typealias Notification = MartletCore.Notification
typealias Environment = MartletCore.Environment
