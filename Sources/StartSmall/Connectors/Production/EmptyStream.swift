extension PayloadStream {
    /// Produces a stream whose length is 0, and returns the error of the producer, or of a stream that is not empty.
    ///
    /// An engine never asks for the bytes of an empty payload.
    func failureOfNothing() async -> ConnectionError? {
        do {
            for try await _ in chunks() {}
        } catch {
            return error as? ConnectionError ?? .malformedPayload(debugInfo: "\(error)")
        }
        // A sequence also ends when the task that reads it is cancelled.
        return Task.isCancelled ? .cancelled : nil
    }
}
