/// How the week is played.
package struct WeekOptions: Sendable {
    package var seed: UInt64 = 1
    package var riders = 60
    package var alerts = 60
    /// The last so many days of the week.
    package var days = 7
    /// By the machine's clock.
    package var seconds = 120.0
    /// How often the matcher and the server are killed.
    package var kills = 3
    /// The release program of Martlet.
    package var martlet: String
    /// The folder of transit-matcher and transit-feed.
    package var programs: String
    /// Where everything is kept; removed and made anew.
    package var folder: String

    package init(martlet: String, programs: String, folder: String) {
        self.martlet = martlet
        self.programs = programs
        self.folder = folder
    }
}
