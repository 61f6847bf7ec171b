/// How long messages are made before they are sealed, so that an eavesdropper learns little from their length. A pure
/// value.
enum WebPushPadding {
    /// The step: a usual message stays within one or two of them.
    static let step = 512
    /// Up to here a message is padded: with the overhead these are the 2,744 bytes that Firefox for Android takes over its
    /// bridge to FCM.
    static let most = 2_641

    /// The length of a message of so many bytes once it is padded.
    static func length(of count: Int) -> Int {
        guard count <= most else { return count }
        let steps = max(1, (count + step - 1) / step)
        return min(steps * step, most)
    }
}
