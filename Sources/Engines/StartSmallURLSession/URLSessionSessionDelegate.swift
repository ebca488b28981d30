import StartSmallCore
import StartSmallSupport
import Dispatch
import StartSmallEngines
import Synchronization

/// The delegate that passes the events of a connector's tasks to their calls: the one class, as Foundation demands.
///
/// Under the lock, no continuation is resumed, and no function of Foundation is called.
final class URLSessionSessionDelegate: NSObject, URLSessionDataDelegate {
    typealias TaskEvent = URLSessionCalls.TaskEvent

    private let calls = Mutex(URLSessionCalls())
    let options: ConnectionOptions

    /// The queue that ends calls which Foundation has not ended.
    private let endings = DispatchQueue(label: "StartSmall.URLSession.endings")

    /// The queue for commands to tasks: on Linux, a task makes its caller wait for the current work of the session.
    private let commandQueue = DispatchQueue(label: "StartSmall.URLSession.commands")

    init(options: ConnectionOptions) {
        self.options = options
    }

    /// Runs a task that was not yet resumed, and waits for its end, or for the head of a response with an open body.
    func finalEvent(of task: URLSessionTask, for input: Input, _ context: CallContext) async -> TaskEvent {
        let id = task.taskIdentifier
        let exchange = URLSessionExchange(
            url: input.calledURL,
            payloadLimit: input.payloadLimit,
            deliversParts: !input.staysInMemory,
            isLimitedUntilHead: context.isLimitedUntilHead,
            followsRedirects: context.followsRedirects,
            idleTimeout: options.idleTimeout.limit(within: context.remainingTime),
            now: .now
        )
        calls.withLock { $0.begin(task, exchange, hasListeners: context.hasListeners) }
        return await withTaskCancellationHandler {
            commandQueue.async { task.resume() }
            while true {
                switch await nextEvent(of: id, context) {
                case .part(.head(var head)):
                    head.content = .body(body(of: id, context))
                    return .output(Task.isCancelled ? .noResponse(.cancelled) : .hasResponse(head))
                // A part of a cancelled call, or progress.
                case .part, .progress: continue
                case let last: return last
                }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Returns the next event of a task, after the listeners have received what is theirs.
    private func nextEvent(of id: Int, _ context: CallContext) async -> TaskEvent {
        let event = await withCheckedContinuation { continuation in
            run(calls.withLock { $0.wait(for: id, continuation) })
        }
        switch event {
        case .progress(let progress): context.report(.progress(progress))
        case .output(_, let reported): for remaining in reported { context.report(remaining) }
        case .part, .again: break
        }
        return event
    }

    private func body(of id: Int, _ context: CallContext) -> ResponseBody {
        ResponseBody(
            pulling: { [self] () async throws(ConnectionError) -> Data? in
                while true {
                    switch await nextEvent(of: id, context) {
                    case .part(.chunk(let data)): return data
                    case .output(.hasResponse, _): return nil
                    case .output(.noResponse(let error), _): throw error
                    // Only progress: the head has arrived.
                    case .progress, .part, .again: continue
                    }
                }
            },
            abort: { [self] in cancel(id, isForgotten: true) }
        )
    }

    /// Cancels a call, later: this may run under the lock of a Swift task, which the session's queue may want.
    private func cancel(_ id: Int, isForgotten: Bool = false) {
        endings.async { [self] in
            end(id) { exchange in
                exchange.dropParts()
                return .output(.noResponse(.cancelled))
            }
            if isForgotten { calls.withLock { $0.abandon(id) } }
        }
    }

    /// Changes the state of a call, and ends the call if `change` returns an event.
    func end(_ id: Int, stopping: Bool = true, _ change: (inout URLSessionExchange) -> TaskEvent?) {
        if let action = calls.withLock({ $0.change(id, stopping: stopping, change) }) { run(action) }
    }

    /// Runs pending actions, outside of the lock.
    private func run(_ action: URLSessionCalls.PendingAction) {
        check(at: action.check)
        if let (continuation, event) = action.resumption { continuation.resume(returning: event) }
        if let command = action.command { commandQueue.async(execute: command) }
    }

    /// Ends the calls that are overdue at this time, and repeats while calls wait: one timer for all calls.
    ///
    /// A call that is not overdue but has progress to report does so.
    // Not inlined in the functions that begin or continue a call.
    @inline(never) private func check(at planned: SuspendingClock.Instant?) {
        guard let planned else { return }
        let wait = SuspendingClock.now.duration(to: planned).timerMilliseconds
        endings.asyncAfter(deadline: .now() + .milliseconds(Int(wait))) { [weak self] in
            guard let self else { return }
            let now = SuspendingClock.now
            for id in calls.withLock({ $0.overdue(at: now) }) {
                end(id) { exchange in exchange.output(expiredAt: now).map { .output($0) } }
            }
            check(at: calls.withLock { $0.arrangeCheck(after: planned) })
        }
    }
}

extension URLSessionSessionDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        let total = totalBytesExpectedToSend > 0 ? totalBytesExpectedToSend : nil
        end(task.taskIdentifier) { exchange in
            exchange.sent(totalBytesSent, of: total, at: .now)
            return nil
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        guard let timings = RequestTimings(metrics) else { return }
        end(task.taskIdentifier) { exchange in
            exchange.transferState.measured = timings
            return nil
        }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let head = Response(head: response)
        end(dataTask.taskIdentifier) { exchange in
            head.flatMap { exchange.received(head: $0, at: .now) }.map { .output($0) }
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        end(dataTask.taskIdentifier) { exchange in exchange.received(data, at: .now).map { .output($0) } }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        if options.followsRedirects, let from = response.url, let to = request.url {
            let redirection = Redirection(from: from, statusCode: .from(code: response.statusCode), to: to)
            end(task.taskIdentifier) { exchange in
                exchange.redirections.append(redirection)
                return nil
            }
        }
        completionHandler(options.followsRedirects ? request : nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // On Linux, the head of a redirect without a location is not reported.
        let final = Response(head: task.response)
        end(task.taskIdentifier, stopping: false) { exchange in
            exchange.isStale(error) ? .again : .output(exchange.output(error: error, final: final))
        }
    }
}

extension URLSessionSessionDelegate {
    /// Ends the attempt for another one, which begins its payload anew.
    ///
    /// The server closed an idle connection while a payload was sent. On Linux, Foundation would hang without the
    /// payload.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(nil)
        end(task.taskIdentifier) { _ in .again }
    }
}
