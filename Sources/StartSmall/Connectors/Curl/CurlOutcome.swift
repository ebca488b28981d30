#if os(Linux)
    import Foundation

    /// The outcome of a transfer, as the thread of the engine passes it on.
    ///
    /// The outcome is raw, so that the caller parses it and no other transfer is held up.
    enum CurlOutcome: Sendable {
        /// libcurl is done, with this result.
        case ended(TransferResult)

        /// The task was cancelled.
        case cancelled

        /// The engine can't make the call at all.
        case refused(String)

        /// Removes and returns the last chunk of a payload in parts; nil if there is none.
        mutating func takeRest() -> Data? {
            guard case .ended(var transferResult) = self, let rest = transferResult.takeRest() else { return nil }
            self = .ended(transferResult)
            return rest
        }

        /// Returns the output of the call.
        ///
        /// - Parameter payloadLimit: the input's limit of the payload, in bytes.
        func output(payloadLimit: Int?) -> Output {
            switch self {
            case .ended(let transferResult): transferResult.output(payloadLimit: payloadLimit)
            case .cancelled: .noResponse(.cancelled)
            case .refused(let reason): .noResponse(.engineUnavailable(debugInfo: reason))
            }
        }
    }
#endif
