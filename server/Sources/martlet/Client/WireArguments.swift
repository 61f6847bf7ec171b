public import ArgumentParser
public import MartletWire

// The contract's words as values of flags; an unknown one is answered with the words that there are.

extension IdentityMode: @retroactive ExpressibleByArgument {}
extension EnvironmentName: @retroactive ExpressibleByArgument {}
extension DevicePlatform: @retroactive ExpressibleByArgument {}
extension PlatformName: @retroactive ExpressibleByArgument {}
extension EventType: @retroactive ExpressibleByArgument {}
extension ChannelName: @retroactive ExpressibleByArgument {}
extension FilterScopeName: @retroactive ExpressibleByArgument {}
extension InboxStatusName: @retroactive ExpressibleByArgument {}
extension KeyScope: @retroactive ExpressibleByArgument {}
extension OperatorRole: @retroactive ExpressibleByArgument {}
extension NotificationStatus: @retroactive ExpressibleByArgument {}
extension StatisticsStep: @retroactive ExpressibleByArgument {}
extension TimelineKind: @retroactive ExpressibleByArgument {}
