import Foundation
import StartSmallCore
import Synchronization

// Three wrappers of StartSmall in small: a wrapper of an app can do what a wrapper of the kit can.

extension Wrapper {
    /// Ends a call, and the body of its response, when it takes longer than a limit.
    static func smallTimeout(_ limit: Duration, clock: some Clock<Duration>) -> Wrapper {
        Wrapper("smallTimeout") { input, next in
            guard next.context.remainingTime ?? limit > .zero else { return .noResponse(.timedOut(.noTimeLeft)) }
            let start = clock.now
            let call = AbandonableCall { limit - start.duration(to: clock.now) }
            let timer = Task {
                try await clock.sleep(for: limit)
                call.abandon(.timedOut(.timeIsOver(limit: limit)))
            }
            return await call.output(of: input, next).onEnd { _ in timer.cancel() }
        }
    }

    /// Follows redirects of GET requests, without credentials to another origin.
    static func smallRedirect(limit: Int) -> Wrapper {
        Wrapper("smallRedirect") { input, next in
            let next = next.with { $0.followsRedirects = true }
            var (input, redirections) = (input, [Redirection]())
            while true {
                let output = await next(input).mapResponse { [redirections] response in
                    var response = response
                    response.redirections = redirections
                    return response
                }
                guard let response = output.response, response.statusCode.isRedirection,
                    case .get = input.methodAndPayload, let location = response.headers["Location"],
                    let target = input.calledURL.resolving(location)
                else { return output }
                guard redirections.count < limit, !next.context.isCancelled else {
                    return .noResponse(.refused(SmallLimit(), after: response))
                }
                let redirection = Redirection(from: input.calledURL, statusCode: response.statusCode, to: target)
                next.report(Followed(redirection: redirection))
                redirections.append(redirection)
                if Origin(input.url) != Origin(target) {
                    for name in input.headers.fields.map(\.name).filter(Redaction.standard.hides) {
                        input.headers[name] = nil
                    }
                }
                (input.url, input.queries) = (target, [])
            }
        }
    }

    /// Makes one inner call for all equal GET requests that are in flight at the same time.
    static func smallShareInFlight() -> Wrapper {
        Wrapper("smallShareInFlight") { connector in
            let calls = SmallSharedCalls()
            return connector.wrapped(
                by: Wrapper { input, next in
                    guard case .get = input.methodAndPayload, input.staysInMemory, !next.context.isDryRun else {
                        return await next(input)
                    }
                    return await calls.output(of: input, next)
                }
            )
        }
    }
}

/// The refusal of one more redirect.
struct SmallLimit: Refusal {
    let name = "tooManySmallRedirects"
    let reason = "too many redirects"
}

/// A redirect that `.smallRedirect` follows.
struct Followed: ReportedEvent {
    let redirection: Redirection
    var name: String { "followed" }
}

private final class SmallSharedCalls: Sendable {
    struct Key: Hashable {
        let url: URL
        let fields: [HTTPHeaders.Field]
        let isolation: CallIsolation
    }

    private let calls = Mutex<[Key: (callers: [CallContext], task: Task<Output, Never>)]>([:])

    func output(of input: Input, _ next: Next) async -> Output {
        let key = Key(url: input.calledURL, fields: input.headers.fields, isolation: next.isolation)
        let task = calls.withLock { calls in
            if let call = calls[key], !call.callers.allSatisfy(\.isOver) {
                calls[key]?.callers.append(next.context)
                return call.task
            }
            let task = Task {
                let output = await next(input, sharedBy: { self.calls.withLock { $0[key]?.callers ?? [] } })
                self.calls.withLock { $0[key] = nil }
                return output
            }
            calls[key] = ([next.context], task)
            return task
        }
        return await task.value
    }
}
