public import StartSmallCore
import StartSmallSupport
public import Foundation

/// An HTTP/1.1 server on 127.0.0.1 that serves any connector, for tests and examples only.
///
/// ```swift
/// let body = try await LoopbackServer.serving(.stub(.hasResponse(zen))) { server in
///     await Endpoint.text(.get(server.url.absoluteString)).fetch()
/// }
/// ```
///
/// The server uses one thread per connection, and is as strict as a server may be, so that it detects a client's
/// mistakes. It sends no `Date`, so that tests can compare responses. There is no TLS, no limit on time or on
/// connections, and nothing else that a public server needs.
public struct LoopbackServer: Sendable {
    /// The port that the system chose.
    public let port: UInt16

    /// The base URL `http://127.0.0.1:PORT`, without a path.
    public let url: URL

    /// The exact bytes that `receiveRequest` steps have read, one element each; empty if a connector is served.
    public let received: Recorder<Data>

    private let threads: ServerThreads
}

extension LoopbackServer {
    /// Serves a connector over HTTP/1.1 while `body` runs, and stops with all its threads before returning.
    ///
    /// The connector receives the requested URL, including the query, and the fields in the order of arrival. If the
    /// connector returns no response, the connection is closed without a response.
    ///
    /// - Parameters:
    ///   - connector: the connector that answers the requests.
    ///   - body: a function that uses the server.
    /// - Throws: `POSIXError` if no socket can be opened, or any error of `body`.
    public static func serving<Result>(
        _ connector: Connector,
        body: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        try await start(serving: connector).stopped(after: body)
    }

    /// Plays a script to each connection while `body` runs: the behavior of a faulty server, byte by byte.
    ///
    /// ```swift
    /// try await LoopbackServer.playing({ _ in [.receiveRequest, .send("HTTP/1.1 200 OK\r\n"), .reset] }) { … }
    /// ```
    ///
    /// - Parameters:
    ///   - script: returns the steps for a connection by its number, from 0.
    ///   - body: a function that uses the server.
    /// - Throws: `POSIXError` if no socket can be opened, or any error of `body`.
    public static func playing<Result>(
        _ script: @escaping @Sendable (Int) -> [ServerScriptStep],
        body: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        try await start(script: script).stopped(after: body)
    }

    /// Serves a connector over HTTP/1.1 until ``stop()``.
    ///
    /// - Throws: `POSIXError` if no socket can be opened.
    public static func start(serving connector: Connector) throws(POSIXError) -> LoopbackServer {
        try start { server, _, socket in
            let origin = server.url.absoluteString
            HTTP1Service(connector: connector, origin: origin, stopped: server.threads.stopped).serve(socket)
        }
    }

    /// Plays a script to each connection until ``stop()``.
    ///
    /// - Parameter script: returns the steps for a connection by its number, from 0.
    /// - Throws: `POSIXError` if no socket can be opened.
    public static func start(script: @escaping @Sendable (Int) -> [ServerScriptStep]) throws(POSIXError)
        -> LoopbackServer
    {
        try start { server, number, socket in
            ServerScript(received: server.received, stopped: server.threads.stopped).play(script(number), to: socket)
        }
    }

    /// Closes the listening socket and all connections, regardless of their state; a second call has no effect.
    ///
    /// The function returns immediately; the threads end soon after. Running calls of the connector are cancelled.
    public func stop() {
        threads.stop()
    }

    private func stopped<Result>(after body: (LoopbackServer) async throws -> Result) async throws -> Result {
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(self)) } catch { result = .failure(error) }
        stop()
        await threads.ended.wait()
        return try result.get()
    }

    private static func start(
        _ converse: @escaping @Sendable (LoopbackServer, Int, LoopbackSocket) -> Void
    ) throws(POSIXError) -> LoopbackServer {
        let listener = try LoopbackListener.open()
        let url = URL(string: "http://127.0.0.1:\(listener.port)") ?? URL(filePath: "/")
        let server = LoopbackServer(port: listener.port, url: url, received: Recorder(), threads: ServerThreads())
        server.threads.start(wake: listener.wake, release: listener.release) {
            var number = 0
            while let socket = listener.nextConnection(unless: { server.threads.isStopped }) {
                server.threads.start(wake: socket.wake, release: socket.release) { [number] in
                    converse(server, number, socket)
                }
                number += 1
            }
        }
        return server
    }
}

/// The threads of a server, each of which owns a socket and is woken when the server stops.
///
/// Only its owner releases a socket, and a socket can be woken only before its release. This keeps a descriptor from
/// being closed twice, or after its number was reused for another one.
struct ServerThreads: Sendable {
    private struct State {
        var isStopped = false
        var ticket: UInt64 = 0
        var wakes: [UInt64: @Sendable () -> Void] = [:]
        var count = 0
    }

    /// The stack size of each thread: 256 KiB, so that thousands of connections fit.
    ///
    /// The default for threads that do as little is 512 KiB on Darwin and 8 MiB on Linux.
    private static let stackBytes = 256 * 1024

    let stopped = Latch()

    /// A latch that opens when the server has stopped and the last thread has released its socket.
    let ended = Latch()

    private let state = Locked(State())

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Starts a thread that works until it is woken or done, and then releases its resources.
    ///
    /// If the server has stopped, the resources are released immediately.
    func start(
        wake: @escaping @Sendable () -> Void,
        release: @escaping @Sendable () -> Void,
        work: @escaping @Sendable () -> Void
    ) {
        let taken = state.withLock { state -> UInt64? in
            guard !state.isStopped else { return nil }
            state.ticket += 1
            state.count += 1
            state.wakes[state.ticket] = wake
            return state.ticket
        }
        guard let ticket = taken else { return release() }
        Self.start {
            work()
            state.withLock { $0.wakes[ticket] = nil }
            release()
            let isLast = state.withLock { state in
                state.count -= 1
                return state.isStopped && state.count == 0
            }
            if isLast { ended.open() }
        }
    }

    /// Wakes all threads, and prevents new ones from starting.
    func stop() {
        let isEmpty = state.withLock { state in
            state.isStopped = true
            for wake in state.wakes.values { wake() }
            return state.count == 0
        }
        stopped.open()
        if isEmpty { ended.open() }
    }

    /// Runs a function on a new thread, which may block, unlike those of Swift's pool.
    static func start(_ work: @escaping @Sendable () -> Void) {
        let thread = Thread(block: work)
        thread.stackSize = stackBytes
        thread.start()
    }
}
