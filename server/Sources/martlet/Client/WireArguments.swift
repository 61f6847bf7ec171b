public import ArgumentParser
public import MartletWire

// The contract's words as values of flags; an unknown one is answered with the words that there are.

extension IdentityMode: ExpressibleByArgument {}
extension EnvironmentName: ExpressibleByArgument {}
extension KeyScope: ExpressibleByArgument {}
extension NotificationStatus: ExpressibleByArgument {}
