import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Hands what `URLSession` tells over to a fetch.
final class AttachmentSession: NSObject, URLSessionDataDelegate, Sendable {
    private let download: AttachmentDownload

    init(_ download: AttachmentDownload) {
        self.download = download
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        switch download.redirected(to: request.url) {
        case .success(let url):
            completionHandler(URLRequest(url: url))
        case .failure(let refusal):
            completionHandler(nil)
            download.end(.failure(refusal))
        }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let refusal = download.answered(
            status: (response as? HTTPURLResponse)?.statusCode ?? 0,
            mimeType: response.mimeType,
            length: response.expectedContentLength
        )
        completionHandler(refusal == nil ? .allow : .cancel)
        if let refusal { download.end(.failure(refusal)) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        download.received(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        download.completed(error)
    }
}
