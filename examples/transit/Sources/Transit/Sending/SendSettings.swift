/// How alerts are sent.
package struct SendSettings: Sendable, Equatable {
    /// The app's name at Martlet; `nil` where the key is bound to it.
    package var app: String?
    /// What a tap opens is this with the alert's id.
    package var linkPrefix = "sydneytransit://alerts/"
    /// Seconds in which the same version is not told to a rider again, whatever this backend has forgotten.
    package var cooldown = 1_800
    /// The most seconds that a push may wait for a phone; one that ends earlier waits no longer than that.
    package var longestWait = 14_400
    /// Attempts of a delivery: the first and three more.
    package var attempts = 4
    /// Seconds before a delivery is tried again, and before one that APNs answered with a 429 is.
    package var minimumDelay = 10
    package var rateLimitedDelay = 60
    /// Riders in a request.
    package var partSize = 1_000
    /// Characters of the header and of the text, so that every push fits APNs' 4,096 bytes.
    package var headerLength = 150
    package var detailsLength = 500

    package init() {}
}
