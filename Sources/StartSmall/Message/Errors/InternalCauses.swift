/// What the kit itself says where an engine has nothing to say: all such causes, so that no two share a code.
extension ConnectionError.Cause {
    private enum InternalCode: Int {
        case timeIsOver
        case noTimeLeft
        case startedAnew
        case wrongRange
        case shortRange
        case noHeadInTime
        case streamEnded
    }

    private init(_ code: InternalCode, _ text: String, after partial: Response? = nil) {
        self.init(domain: "StartSmall", code: code.rawValue, text: text, partial: partial)
    }

    /// A limit of time was past before anything was sent.
    static let noTimeLeft = Self(.noTimeLeft, "no time was left")

    /// The wrappers tried again after values had been given.
    static let startedAnew = Self(.startedAnew, "the call was tried again after a part of its payload had been given")

    /// A stream of events ended, which its consumer did not ask for.
    static let streamEnded = Self(.streamEnded, "the stream ended")

    /// A call took longer than that.
    static func timeIsOver(limit: Duration) -> Self {
        Self(.timeIsOver, "not over within \(limit)")
    }

    /// No head of a response came within that.
    static func noHeadInTime(limit: Duration) -> Self {
        Self(.noHeadInTime, "no head of a response within \(limit)")
    }

    /// The server went on at another place than it was asked to, or with another version (RFC 9110 15.3.7).
    static func wrongRange(_ response: Response) -> Self {
        Self(.wrongRange, "not the range asked for", after: response)
    }

    /// The server sent a part that does not complete the payload.
    static func shortRange(_ response: Response, size: Int, total: Int) -> Self {
        Self(.shortRange, "with the range that the server sent there are \(size) of \(total) bytes", after: response)
    }
}
