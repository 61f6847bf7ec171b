import Foundation

/// What is wrong with a file of JSON, in words for who wrote it.
enum JSONProblem {
    /// - Parameter error: what came of reading the file.
    static func reading(_ error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileReadNoSuchFile, .fileNoSuchFile: "there is no such file."
        case .fileReadNoPermission: "there is no permission to read it."
        default: error.localizedDescription
        }
    }

    /// - Parameter error: what the decoder threw.
    static func words(_ error: any Error) -> String {
        switch error as? DecodingError {
        case .keyNotFound(let key, let context): "'\(path(context.codingPath + [key]))' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "it is no JSON object" : "'\(path(context.codingPath))' has a value of another kind"
        default: "it cannot be read"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }.joined(separator: ".")
            .replacing(".[", with: "[")
    }
}
