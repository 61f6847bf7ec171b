package import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Fetches one file to disk, piece by piece: an extension has little memory. ``AttachmentRules`` decides.
package final class AttachmentDownload: Sendable {
    /// The end of a fetch: the file with its type, or why there is none. Told exactly once, on any thread.
    package typealias Completion = @Sendable (Result<AttachmentFile, AttachmentRefusal>) -> Void

    private struct State {
        var rules = AttachmentRules()
        var session: URLSession?
        var output: OutputStream?
        var file: AttachmentFile?
        /// The first bytes of a file whose type they have to tell.
        var head = Data()
        var completion: Completion?
    }

    private let folder: URL
    private let time: TimeInterval
    private let rewrite: @Sendable (URL) -> URL
    private let state = Locked(State())

    /// A fetch that has not begun.
    ///
    /// - Parameters:
    ///   - folder: where the file goes; it is made when it is missing.
    ///   - time: the most seconds.
    ///   - rewrite: the address that is asked in the place of an allowed one; tests reach local servers by it.
    package init(
        into folder: URL,
        time: TimeInterval = AttachmentRules.time,
        rewrite: @escaping @Sendable (URL) -> URL = { $0 }
    ) {
        self.folder = folder
        self.time = time
        self.rewrite = rewrite
    }

    /// Begins, once.
    package func begin(_ text: String, completion: @escaping Completion) {
        let address: URL
        do throws(AttachmentRefusal) {
            address = try AttachmentRules.address(text)
        } catch {
            return completion(.failure(error))
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = time
        let session = URLSession(configuration: configuration, delegate: AttachmentSession(self), delegateQueue: nil)
        state.with { state in
            state.session = session
            state.completion = completion
            state.rules.began(address)
        }
        // The session's own limit is for the gaps between bytes.
        DispatchQueue.global().asyncAfter(deadline: .now() + time) { [weak self] in self?.end(.failure(.timedOut)) }
        session.dataTask(with: rewrite(address)).resume()
    }

    /// Gives up: the completion is told `timedOut`, unless it was told before.
    package func cancel() {
        end(.failure(.timedOut))
    }

    func end(_ result: Result<AttachmentFile, AttachmentRefusal>) {
        let ended = state.with { state in
            defer {
                state.completion = nil
                state.output = nil
                state.file = nil
                // A session keeps its delegate until it is told to let go.
                state.session = nil
            }
            state.output?.close()
            if case .failure = result, let file = state.file { try? FileManager.default.removeItem(at: file.url) }
            return (state.completion, state.session)
        }
        // The completion first: on Linux a cancel waits for the session's queue, which a server that floods keeps busy.
        ended.0?(result)
        ended.1?.invalidateAndCancel()
    }

    /// Runs a step under the lock.
    ///
    /// - Returns: why the fetch has to end, where it has.
    private func step(_ body: (inout State) throws(AttachmentRefusal) -> Void) -> AttachmentRefusal? {
        state.with { state in
            do throws(AttachmentRefusal) {
                try body(&state)
                return nil
            } catch {
                return error
            }
        }
    }
}

/// A file that was fetched.
package struct AttachmentFile: Sendable, Equatable {
    /// Where it is; its ending tells its type.
    package var url: URL
    package var type: AttachmentType
}

// What the session tells, on its own queue, one call after the other. Each says why the fetch has to end, if it has:
// the session wants its answer first.
extension AttachmentDownload {
    func redirected(to url: URL?) -> Result<URL, AttachmentRefusal> {
        let refusal = step { state throws(AttachmentRefusal) in try state.rules.redirected(to: url) }
        guard refusal == nil, let url else { return .failure(refusal ?? .redirect) }
        return .success(rewrite(url))
    }

    func answered(status: Int, mimeType: String?, length: Int64) -> AttachmentRefusal? {
        step { state throws(AttachmentRefusal) in
            let type = try state.rules.answered(status: status, mimeType: mimeType, length: length)
            // Ended already: nothing is made that nobody would remove.
            if let type, state.completion != nil { try open(type, &state) }
        }
    }

    func received(_ data: Data) {
        let refusal = step { state throws(AttachmentRefusal) in
            var data = data
            if state.file == nil, state.completion != nil {
                state.head.append(data)
                guard let type = try state.rules.began(with: state.head) else { return }
                try open(type, &state)
                data = state.head
                state.head = Data()
            }
            guard let output = state.output else { return }
            try state.rules.received(bytes: data.count)
            guard write(data, to: output) else { throw .failed("there is no room on the device.") }
        }
        if let refusal { end(.failure(refusal)) }
    }

    func completed(_ error: (any Error)?) {
        if let error {
            let isTimedOut = (error as? URLError)?.code == .timedOut
            return end(.failure(isTimedOut ? .timedOut : .failed(error.localizedDescription)))
        }
        var file: AttachmentFile?
        let refusal = step { state throws(AttachmentRefusal) in
            try state.rules.finished()
            state.output?.close()
            file = state.file
        }
        if let file { end(.success(file)) } else { end(.failure(refusal ?? .incomplete)) }
    }

    private func open(_ type: AttachmentType, _ state: inout State) throws(AttachmentRefusal) {
        let url = folder.appendingPathComponent("\(UUID().uuidString).\(type.fileExtension)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard let output = OutputStream(url: url, append: false) else { throw .failed("the file cannot be made.") }
        output.open()
        state.output = output
        state.file = AttachmentFile(url: url, type: type)
    }

    private func write(_ data: Data, to output: OutputStream) -> Bool {
        data.withUnsafeBytes { buffer in
            var rest = buffer.bindMemory(to: UInt8.self)[...]
            while !rest.isEmpty {
                let written = UnsafeBufferPointer(rebasing: rest).baseAddress.map {
                    output.write($0, maxLength: rest.count)
                }
                guard let written, written > 0 else { return false }
                rest = rest.dropFirst(written)
            }
            return true
        }
    }
}
