extension SQL {
    /// Rows of a table whose key has several columns are deleted one by one, because SQLite looks up a list of rows by
    /// the first column of each, which is the API key or the topic: all of its rows, each time.
    ///
    /// Answers that need not be repeated any more: before, limit.
    static let oldIdempotency = """
        SELECT key_id, route, value FROM idempotency
        WHERE created_at < ? ORDER BY created_at, key_id, route, value LIMIT ?
        """
    /// One of them: key, route, value.
    static let deleteIdempotency = "DELETE FROM idempotency WHERE key_id = ? AND route = ? AND value = ?"

    /// Messages whose repetition would be a new message, likewise: before, limit.
    static let oldFIFOMessages = """
        SELECT topic_id, deduplication FROM fifo_messages
        WHERE published_at < ? ORDER BY published_at, topic_id, deduplication LIMIT ?
        """
    /// One of them: topic, deduplication.
    static let deleteFIFOMessage = "DELETE FROM fifo_messages WHERE topic_id = ? AND deduplication = ?"
}
