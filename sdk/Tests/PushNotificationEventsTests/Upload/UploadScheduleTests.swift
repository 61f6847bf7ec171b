import PushNotificationSDKCore
import Testing

@Suite("When the uploader asks") struct UploadScheduleTests {
    @Test("nothing is asked before something happened") func rests() {
        #expect(UploadSchedule().next(at: 0) == .rest)
    }

    @Test("events within two seconds go together, and a stream of them does not put it off") func gathers() {
        var schedule = UploadSchedule()
        schedule.recorded(at: 0)
        #expect(schedule.next(at: 0) == .wait(until: 2000))
        schedule.recorded(at: 1500)
        #expect(schedule.next(at: 1999) == .wait(until: 2000))
        #expect(schedule.next(at: 2000) == .send)
        schedule.emptied()
        #expect(schedule.next(at: 2000) == .rest)
    }

    @Test("who wants it now does not wait two seconds, and for the wait after a failure unless they ignore it")
    func wanted() {
        var schedule = UploadSchedule()
        schedule.recorded(at: 0)
        schedule.wanted(at: 10)
        #expect(schedule.next(at: 10) == .send)
        schedule.failed(at: 10, after: nil, random: 0.5)
        schedule.wanted(at: 20)
        #expect(schedule.next(at: 20) == .wait(until: 1010))
        schedule.wanted(at: 20, ignoringBackoff: true)
        #expect(schedule.next(at: 20) == .send)
    }

    @Test("the wait after failures is drawn from zero to a bound that doubles up to five minutes") func backsOff() {
        var schedule = UploadSchedule()
        schedule.wanted(at: 0)
        let almostOne = 1.0.nextDown
        var waits: [Int64] = []
        for _ in 0..<10 {
            schedule.failed(at: 0, after: nil, random: almostOne)
            guard case .wait(let moment) = schedule.next(at: 0) else { continue }
            waits.append((moment + 999) / 1000)
        }
        #expect(waits == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
        schedule.failed(at: 0, after: nil, random: 0)
        #expect(schedule.next(at: 0) == .send)
        schedule.settled()
        schedule.failed(at: 0, after: nil, random: almostOne)
        #expect(schedule.next(at: 0) == .wait(until: 1999))
    }

    @Test("coming to the front does not shorten the wait after a failure, nor the next one") func foreground() {
        var schedule = UploadSchedule()
        schedule.wanted(at: 0)
        schedule.failed(at: 0, after: nil, random: 0.5)
        for moment in 1...9 { schedule.resumed(at: Int64(moment)) }
        #expect(schedule.next(at: 9) == .wait(until: 1000))
        #expect(schedule.next(at: 1000) == .send)
        schedule.failed(at: 1000, after: nil, random: 0.5)
        #expect(schedule.next(at: 1000) == .wait(until: 3000))
    }

    @Test("nothing shortens what the server asked for") func retryAfter() {
        var schedule = UploadSchedule()
        schedule.wanted(at: 0)
        schedule.failed(at: 0, after: 60_000, random: 0)
        schedule.wanted(at: 1, ignoringBackoff: true)
        schedule.resumed(at: 2)
        #expect(schedule.next(at: 2) == .wait(until: 60_000))
        #expect(schedule.next(at: 60_000) == .send)
    }

    @Test("what was stopped stays so until the app comes to the front") func stops() {
        var schedule = UploadSchedule()
        schedule.wanted(at: 0)
        schedule.stopped()
        schedule.recorded(at: 0)
        schedule.wanted(at: 1)
        #expect(schedule.next(at: 10_000) == .rest)
        schedule.resumed(at: 10_000)
        #expect(schedule.next(at: 10_000) == .send)
    }

    @Test("after 16 refusals in a row it is not the events, and no more is thrown away") func refusals() {
        var schedule = UploadSchedule()
        schedule.wanted(at: 0)
        for _ in 0..<16 {
            let mayThrowAway = schedule.refusedAlone()
            #expect(mayThrowAway)
        }
        let mayThrowAway = schedule.refusedAlone()
        #expect(!mayThrowAway)
        #expect(schedule.next(at: 1) == .rest)
    }
}
