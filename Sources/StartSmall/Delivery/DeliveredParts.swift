/// The parts of a payload that a consumer has received so far, as far as they decide what is left to deliver.
struct DeliveredParts {
    private var hasHead = false
    private var hasChunk = false

    /// The attempt whose parts were delivered; nil if unknown.
    private var attempt: Attempt?

    /// Records a part that is delivered now.
    mutating func append(_ part: PayloadConsumer.Part) {
        switch part {
        case .head(let response): (hasHead, hasChunk, attempt) = (true, false, response.called.attempt)
        case .chunk: hasChunk = true
        }
    }

    /// Removes the parts of an attempt that ended without a response.
    ///
    /// An abandoned attempt can end after another one; the parts of the other one stay.
    mutating func remove(of attempt: Attempt) {
        if attempt === self.attempt { (hasHead, hasChunk, self.attempt) = (false, false, nil) }
    }

    /// Returns whether parts of this response were delivered.
    ///
    /// After an interrupted attempt, a fallback can respond with a complete payload, or with a complete empty one.
    func hasParts(of response: Response) -> Bool {
        if let attempt, let other = response.called.attempt, attempt !== other { return false }
        if !response.payload.isEmpty || hasChunk && response.statusCode.isWithoutContent { return false }
        return hasHead || hasChunk
    }
}
