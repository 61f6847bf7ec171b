import MartletCore
import Testing

@testable import MartletPipeline

/// When old rows are looked for.
struct MaintenanceTests {
    @Test(
        "it is time for a clean-up when its moment has come, and when the clock was set back to long before it",
        arguments: [
            (Duration.seconds(-1), false), (.zero, true), (.seconds(1), true),
            (.zero - Maintenance.cleanUpInterval, false),
            (.milliseconds(-1) - Maintenance.cleanUpInterval, true), (.seconds(-86_400 * 30), true),
        ]
    )
    func isTimeToCleanUp(after planned: Duration, isTime: Bool) {
        let moment = Timestamp(milliseconds: 1_750_000_000_000)
        #expect(Maintenance.isTimeToCleanUp(planned: moment, now: moment + planned) == isTime)
    }
}
