/// The rules on wrappers that send a request again.
extension OrderRule {
    static func idempotencyKey(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        guard outer.sendsAgain, inner.changes.contains(.idempotencyKey) else { return nil }
        return "each attempt of \(outer.name) gets another key, so that a server whose response was lost executes the "
            + "request twice"
    }

    static func limit(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        guard let limit = outer.timeLimit, let innerLimit = inner.timeLimit, limit < innerLimit else { return nil }
        let (shown, innerShown) = (WrapperDeclaration.shown(limit), WrapperDeclaration.shown(innerLimit))
        return "the outer limit of \(shown) ends each call before the inner one of \(innerShown), which has no effect"
    }

    static func breaker(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        guard outer.shortCircuits == .failures, inner.sendsAgain else { return nil }
        return "\(outer.name) counts all attempts of \(inner.name) as one outcome, and opens only after the service "
            + "has received each of them"
    }

    static func waiting(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        guard outer.shortCircuits == .failures, inner.waits == .permit || inner.waits == .turn else { return nil }
        return "calls that wait in \(inner.name) are sent to a service that has failed since they passed \(outer.name)"
    }

    static func limiter(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        switch (outer.waits, inner.repeats) {
        case (.permit, .afterFailure):
            "a call that waits for its next attempt holds its permit, for which other calls wait"
        case (.permit, .withOtherCredentials):
            "calls that wait for new credentials hold their permits, and a request for the credentials that needs a "
                + "permit waits forever"
        case (.permit, .concurrently): "the requests that \(inner.name) adds need no permit"
        case (.turn, .afterFailure), (.turn, .concurrently):
            "only the first attempt of each call waits for its turn, so that the attempts exceed the rate"
        default: nil
        }
    }

    static func attempt(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        guard inner.repeats == .afterFailure else { return nil }
        switch (outer.unit, outer.repeats) {
        case (.attempt, .withOtherCredentials):
            return "an attempt of \(inner.name) is sent with the credentials of the first one, even if they have "
                + "changed since"
        case (.attempt, .redirected):
            return "\(inner.name) counts its attempts and its time for each redirect anew"
        case (.attempt, _), (.request, _):
            return "\(outer.name) runs once, and has no effect on the further attempts of \(inner.name)"
        default: return nil
        }
    }

    static func call(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        guard inner.unit == .call, outer.sendsAgain else { return nil }
        return "\(inner.name) is for the whole call, but here it runs for each attempt of \(outer.name), and not "
            + "between the attempts"
    }

    static func failures(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        guard inner.replacesFailures else { return nil }
        if outer.repeats == .afterFailure {
            return "a failure that \(inner.name) replaces is not retried by \(outer.name)"
        }
        guard outer.shortCircuits == .failures else { return nil }
        return "a failure that \(inner.name) replaces is not counted by \(outer.name)"
    }
}

extension WrapperDeclaration {
    /// Whether the wrapper can send the same request again, to a server that may have processed it.
    fileprivate var sendsAgain: Bool { repeats == .afterFailure || repeats == .concurrently }
}
