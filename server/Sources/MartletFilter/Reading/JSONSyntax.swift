/// Whether texts are JSON, for the other attributes of the API that hold it: what is wrong is said as it is of a policy.
public enum JSONSyntax {
    /// What is wrong with a text, in Jackson's words and with its place; `nil` for sound JSON.
    public static func fault(in text: String) -> String? {
        let bytes = Array(text.utf8)
        var tokenizer = JSONTokenizer(bytes)
        do {
            while try tokenizer.next() != .end {}
            return nil
        } catch {
            return error.message(in: bytes)
        }
    }
}
