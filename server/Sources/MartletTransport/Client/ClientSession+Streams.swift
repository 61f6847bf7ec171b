internal import CNghttp2
import NIOCore

/// What a stream of the client holds from its submission until the library closes it; reused.
struct ClientStreamState {
    /// Kept until the stream is closed, because the library points into its memory.
    var burst: HTTP2Burst?
    var index = 0
    var attempt = 0
    var submitted = NIODeadline.distantPast
    var deadline = NIODeadline.distantFuture
    /// How many answers the connection had had when it was submitted; `nil` where it has less time than a request may
    /// have.
    var answersBefore: Int?
    /// The request's body and how much of it has been given to the library.
    var body = UnsafeRawBufferPointer(start: nil, count: 0)
    /// What holds the body where it is the request's own.
    var ownBody: RequestBody?
    var sent = 0
    /// Whether the peer can have begun to process it: its body has begun to be written, or it has none.
    var isWritten = false
    var isAnswered = false
    var id: Int32 = 0

    var status = 0
    var hasFinalHeaders = false
    var headerBytes = 0
    var interimAnswers = 0
    var headers = PackedFields()
    var answerBody: [UInt8] = []
    var isAnswerTruncated = false
}

// Requests in, answers out.
extension ClientSession {
    func enqueue(_ slice: RequestSlice) {
        // It has been counted since then, and is until it is published that it does not wait any more.
        self.handedOver += slice.count
        let isFull = self.queuedCount + slice.count > self.configuration.maxQueuedRequests
        let refusal = isFull ? "queue full: \(self.queuedCount) requests wait" : nil
        if let reason = slice.burst.endReason ?? refusal {
            self.publish()
            return slice.fail(reason)
        }
        if slice.burst.isUrgent { self.enqueueFirst(slice) } else { self.queue.append(slice) }
        self.queuedCount += slice.count
        if self.stage == .running {
            self.scheduleWork()
        } else {
            self.settle()
        }
    }

    /// Puts what is urgent before all that is not, also before what is left of the slice that is being sent.
    private func enqueueFirst(_ slice: RequestSlice) {
        if let current = self.current, !current.burst.isUrgent {
            self.current = nil
            if current.count > 0 { self.queue.prepend(current) }
        }
        let position = self.queue.firstIndex { !$0.burst.isUrgent } ?? self.queue.endIndex
        self.queue.insert(slice, at: position)
    }

    /// Submits queued requests while the stream limit allows and the socket takes what they become.
    func submit(now: NIODeadline) {
        guard self.queuedCount > 0, let context = self.context, context.channel.isWritable else { return }
        let limit = self.machine.streamLimit
        let latest = now + self.configuration.requestTimeout
        while self.streams.count < limit, self.queuedCount > 0 {
            guard let index = self.current?.popFirst() else {
                self.current = self.queue.popFirst()
                if let burst = self.current?.burst { self.fields.begin(burst) }
                continue
            }
            self.queuedCount -= 1
            let burst = self.current!.burst  // a request has just been taken from it
            let attempt = self.current!.attempt  // as above
            if let reason = burst.refusal(at: now) {
                let isDisowned = self.current!.isDisowned  // as above
                burst.answer(index, .failed(.unprocessed(reason, isDisowned: isDisowned)))
                continue
            }
            let deadline = min(burst.deadline ?? latest, latest)
            guard
                self.submit(
                    burst,
                    index: index,
                    attempt: attempt,
                    now: now,
                    deadline: deadline,
                    answersBefore: deadline < latest ? nil : self.machine.answers
                )
            else {
                self.returned.add(burst, index: index, attempt: attempt)
                self.machine.drain("no stream numbers left")
                return
            }
        }
    }

    private func submit(
        _ burst: HTTP2Burst,
        index: Int,
        attempt: Int,
        now: NIODeadline,
        deadline: NIODeadline,
        answersBefore: Int?
    ) -> Bool {
        if self.streams.count == 0 { self.throughput.began(at: now) }
        let slot = self.streams.acquire()
        // Made only now, and freed with the slot: bodies are in memory for what is in flight.
        let ownBody = burst.bodies.map { RequestBody($0(index)) }
        let body = ownBody?.bytes ?? burst.template.body
        var state = ClientStreamState()
        state.burst = burst
        state.index = index
        state.attempt = attempt
        state.submitted = now
        state.deadline = deadline
        state.answersBefore = answersBefore
        state.body = body
        state.ownBody = ownBody
        state.isWritten = body.count == 0
        self.streams[slot] = state
        let session = self.session.pointer
        let id = self.fields.withFields(of: burst, request: index, ownBody: ownBody) { fields in
            guard body.count > 0 else {
                return nghttp2_submit_request(
                    session,
                    nil,
                    fields.baseAddress,
                    fields.count,
                    nil,
                    NGHTTP2Session.userData(slot: slot)
                )
            }
            var provider = nghttp2_data_provider()
            provider.source.ptr = NGHTTP2Session.userData(slot: slot)
            provider.read_callback = Self.readBody
            return nghttp2_submit_request(
                session,
                nil,
                fields.baseAddress,
                fields.count,
                &provider,
                NGHTTP2Session.userData(slot: slot)
            )
        }
        self.streams[slot].id = id
        if id < 0 { self.free(slot) }
        return id >= 0
    }

    /// The answer is whole.
    func answered(slot: Int, stream: Int32) {
        guard !self.streams[slot].isAnswered, self.streams[slot].hasFinalHeaders else { return }
        if self.streams[slot].sent < self.streams[slot].body.count {
            // Answered before the body was sent: the rest of it is of no use (RFC 9113, section 8.1).
            self.resetStream(stream)
        }
        self.respond(slot: slot)
    }

    /// An answer goes beyond a bound of ours: what has come of it counts where it says the result of the request.
    func cut(slot: Int, at limit: String) {
        guard !self.streams[slot].isAnswered else { return }
        self.streams[slot].isAnswerTruncated = true
        if self.streams[slot].hasFinalHeaders || (200..<300).contains(self.streams[slot].status) {
            self.respond(slot: slot)
        } else {
            self.answer(slot: slot, .failed(.limit("\(limit), which is this client's limit")))
        }
    }

    /// Answers with what has come.
    private func respond(slot: Int) {
        let response = HTTP2Response(
            status: self.streams[slot].status,
            fields: self.streams[slot].headers,
            body: self.streams[slot].answerBody,
            isBodyTruncated: self.streams[slot].isAnswerTruncated,
            duration: self.readAt - self.streams[slot].submitted
        )
        self.machine.responseReceived(status: response.status)
        self.throughput.answered(submitted: self.streams[slot].submitted, now: self.readAt)
        self.answer(slot: slot, .response(response))
    }

    /// The stream is closed: without an answer until now it gets none.
    func closed(slot: Int, errorCode: UInt32, reason: String) {
        if !self.streams[slot].isAnswered {
            if errorCode == HTTP2ErrorCode.refusedStream || !self.streams[slot].isWritten {
                self.giveBack(slot: slot, reason: reason)
            } else {
                self.answer(slot: slot, .failed(.reset(code: errorCode)))
            }
        }
        self.free(slot)
    }

    /// Answers requests whose time is over and resets their streams.
    func expire(now: NIODeadline) {
        for slot in self.streams.indices {
            guard self.streams[slot].burst != nil, !self.streams[slot].isAnswered, self.streams[slot].deadline <= now
            else { continue }
            self.resetStream(self.streams[slot].id)
            if let before = self.streams[slot].answersBefore {
                self.machine.timedOut(answersBefore: before)
                // Before the request is answered, because then it may be sent again.
                if self.machine.isSilent { self.publish() }
            }
            self.answer(slot: slot, .failed(.deadline))
        }
        self.removeQueued { $0.burst.missedDeadline(at: now) }
    }

    func cancel(_ burst: HTTP2Burst) {
        guard self.stage == .running else { return }
        for slot in self.streams.indices {
            guard self.streams[slot].burst === burst, !self.streams[slot].isAnswered else { continue }
            self.resetStream(self.streams[slot].id)
            self.answer(
                slot: slot,
                .failed(self.streams[slot].isWritten ? .lost("cancelled") : .unprocessed("cancelled"))
            )
        }
        self.removeEnded()
    }

    /// Answers queued requests that have been taken back.
    func removeEnded() {
        guard self.stage == .running else { return }
        self.removeQueued { $0.burst.endReason }
        self.scheduleWork()
    }

    /// Answers all that is in flight when the connection has ended.
    func answerAll(lost reason: String) {
        for slot in self.streams.indices where self.streams[slot].burst != nil {
            if !self.streams[slot].isAnswered {
                if self.streams[slot].isWritten {
                    self.answer(slot: slot, .failed(.lost(reason)))
                } else {
                    self.giveBack(slot: slot, reason: reason)
                }
            }
            self.free(slot)
        }
    }

    /// Returns what has not been submitted.
    func returnQueue() {
        if let current = self.current, current.count > 0 { self.returned.add(current) }
        self.current = nil
        while let slice = self.queue.popFirst() { self.returned.add(slice) }
        self.queuedCount = 0
    }

    /// Returns the last `count` of the requests that wait for a stream: another connection has some free.
    func returnLast(_ count: Int) {
        guard self.stage == .running else { return }
        let before = self.queuedCount
        while self.queuedCount > before - count, var slice = self.queue.popLast() {
            self.give(back: min(slice.count, self.queuedCount - before + count), of: &slice)
            if slice.count > 0 { self.queue.append(slice) }
        }
        if self.queuedCount > before - count, var slice = self.current {
            self.give(back: min(slice.count, self.queuedCount - before + count), of: &slice)
            self.current = slice
        }
        self.settle()
    }

    private func give(back count: Int, of slice: inout RequestSlice) {
        self.returned.add(slice.removeLast(count))
        self.queuedCount -= count
    }

    /// Gives returned requests to the pool, or answers them when there is none.
    func handBackReturned() {
        var slices = self.returned.take()
        if slices.isEmpty { return }
        // A peer that has sent GOAWAY has said so of all that comes back, submitted or not.
        if self.isGoneAway { for index in slices.indices { slices[index].isDisowned = true } }
        let reason = self.machine.returnReason ?? "REFUSED_STREAM"
        if let giveBack = self.shared.giveBack {
            giveBack(slices, reason)
        } else {
            for slice in slices { slice.fail(reason) }
        }
    }

    /// Answers the queued requests for which there is a reason.
    private func removeQueued(_ reason: (RequestSlice) -> String?) {
        var over: [(slice: RequestSlice, reason: String)] = []
        if let current = self.current, let reason = reason(current) {
            self.current = nil
            over.append((current, reason))
        }
        if self.queue.contains(where: { reason($0) != nil }) {
            let queue = self.queue
            self.queue.removeAll()
            for slice in queue {
                if let reason = reason(slice) { over.append((slice, reason)) } else { self.queue.append(slice) }
            }
        }
        self.queuedCount -= over.reduce(0) { $0 + $1.slice.count }
        for (slice, reason) in over { slice.fail(reason) }
    }

    func resetStream(_ stream: Int32) {
        nghttp2_submit_rst_stream(
            self.session.pointer,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            stream,
            HTTP2ErrorCode.cancel
        )
    }

    private func answer(slot: Int, _ answer: HTTP2Answer) {
        self.streams[slot].isAnswered = true
        // Held here: whoever is answered may free the slot.
        guard let burst = self.streams[slot].burst else { return }
        burst.answer(self.streams[slot].index, answer)
    }

    private func giveBack(slot: Int, reason: String) {
        self.streams[slot].isAnswered = true
        guard let burst = self.streams[slot].burst else { return }
        // A refusal by a connection that goes on is one of few; one that ends is bounded by how long the next takes.
        let refusals = self.streams[slot].attempt + (self.machine.takesWork ? 1 : 0)
        if self.shared.giveBack == nil {
            let isDisowned = self.isGoneAway || refusals > 0
            burst.answer(self.streams[slot].index, .failed(.unprocessed(reason, isDisowned: isDisowned)))
        } else {
            self.returned.add(burst, index: self.streams[slot].index, attempt: refusals)
        }
    }

    private func free(_ slot: Int) {
        // The answer's bytes and the burst are not kept until the slot's next use.
        self.streams[slot] = ClientStreamState()
        self.streams.release(slot)
    }
}
