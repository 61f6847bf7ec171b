import Synchronization
import Testing

@testable import MartletPipeline

/// The orders in which the provider, the store, the ticks and the dispatcher's end come to a batch that has no task.
@Suite(.stageLimit) struct InlinePhaseTests {
    /// What happens to it, and what whoever does it is told.
    enum Step {
        /// The provider has returned from beginning it.
        case begun
        /// The provider says that it did not begin it; whether it is for the caller to go on with it.
        case notBegun(isForCaller: Bool)
        /// All answers are there; whether it is for the caller to record them.
        case answered(isForCaller: Bool)
        case recorded
        /// The commit failed.
        case notRecorded
        /// A tick, or the dispatcher's end; whether a task has something to do.
        case tick(isForTask: Bool)
        case end(isForTask: Bool)
    }

    struct Order: CustomTestStringConvertible {
        var testDescription: String
        var steps: [Step]
        /// Whether a task that it was given to has something to record.
        var isUnrecorded: Bool

        init(_ description: String, _ steps: [Step], isUnrecorded: Bool) {
            (testDescription, self.steps, self.isUnrecorded) = (description, steps, isUnrecorded)
        }
    }

    static let orders = [
        Order(
            "answered and recorded; no tick and no end finds anything to do",
            [
                .begun, .answered(isForCaller: true), .tick(isForTask: false), .recorded, .tick(isForTask: false),
                .end(isForTask: false),
            ],
            isUnrecorded: false
        ),
        Order(
            "answered before the provider returned",
            [.answered(isForCaller: true), .begun, .recorded, .end(isForTask: false)],
            isUnrecorded: false
        ),
        Order("not begun: it goes back", [.notBegun(isForCaller: true), .tick(isForTask: false)], isUnrecorded: false),
        Order(
            "a tick takes what is sent, and another one does not take it again",
            [
                .begun, .tick(isForTask: true), .tick(isForTask: false), .end(isForTask: false),
                .answered(isForCaller: false),
            ],
            isUnrecorded: true
        ),
        Order(
            "a tick takes it before the provider returned, which had begun it",
            [.tick(isForTask: true), .begun, .answered(isForCaller: false)],
            isUnrecorded: true
        ),
        Order(
            "a tick takes it before the provider returned, which had its answers",
            [.tick(isForTask: true), .answered(isForCaller: false), .begun],
            isUnrecorded: true
        ),
        Order(
            "a tick takes it before the provider returned, which had not begun it: the task puts it back",
            [.tick(isForTask: true), .notBegun(isForCaller: false)],
            isUnrecorded: true
        ),
        Order(
            "a commit that failed is a task's at the next tick",
            [
                .begun, .answered(isForCaller: true), .notRecorded, .tick(isForTask: true), .tick(isForTask: false),
            ],
            isUnrecorded: true
        ),
        Order(
            "the end takes what is sent",
            [.begun, .end(isForTask: true), .answered(isForCaller: false)],
            isUnrecorded: true
        ),
        Order(
            "the end waits for a commit that is under way",
            [.begun, .answered(isForCaller: true), .end(isForTask: true), .recorded],
            isUnrecorded: false
        ),
        Order(
            "the end waits for a commit that fails, and records it once more",
            [.begun, .answered(isForCaller: true), .end(isForTask: true), .notRecorded],
            isUnrecorded: true
        ),
    ]

    @Test("each order has one who records the answers", arguments: orders)
    func order(_ order: Order) async {
        let phase = InlinePhase()
        for step in order.steps {
            switch step {
            case .begun: phase.note {}
            case .notBegun(let expected): #expect(phase.notBegun() == expected)
            case .answered(let expected): #expect(phase.answer() == expected)
            case .recorded: phase.noteCommit(isRecorded: true)
            case .notRecorded: phase.noteCommit(isRecorded: false)
            case .tick(let expected): #expect(phase.giveToTask(isStopping: false) == expected)
            case .end(let expected): #expect(phase.giveToTask(isStopping: true) == expected)
            }
        }
        #expect(await phase.isUnrecorded() == order.isUnrecorded)
    }

    @Test("a task waits for the answers, and for a commit that is under way", arguments: [true, false])
    func waits(isRecorded: Bool) async {
        let phase = InlinePhase()
        phase.note {}
        async let answered: Void = phase.untilAnswered()
        #expect(phase.answer())
        await answered
        #expect(phase.giveToTask(isStopping: true))
        async let isUnrecorded = phase.isUnrecorded()
        phase.noteCommit(isRecorded: isRecorded)
        #expect(await isUnrecorded == !isRecorded)
    }

    @Test(
        "a task that is cancelled cancels the sending, also where the provider has not returned yet",
        arguments: [
            true, false,
        ]
    )
    func cancels(isBegun: Bool) async {
        let phase = InlinePhase()
        let cancels = Mutex(0)
        let cancel: @Sendable () -> Void = {
            cancels.withLock { $0 += 1 }
            _ = phase.answer()
        }
        if isBegun { phase.note(cancel) }
        #expect(phase.giveToTask(isStopping: true))
        let task = Task { await phase.untilAnswered() }
        task.cancel()
        if !isBegun {
            // Its handler has run when nobody else can: then what the provider returns is cancelled.
            while cancels.withLock({ $0 }) == 0 {
                phase.note(cancel)
                await Task.yield()
            }
        }
        await task.value
        #expect(cancels.withLock { $0 } == 1)
        phase.note(cancel)
        #expect(cancels.withLock { $0 } == 1, "what is answered is not cancelled")
    }
}
