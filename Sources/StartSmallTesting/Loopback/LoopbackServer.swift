public import Foundation
public import StartSmall

/// A server on 127.0.0.1, for tests and examples only: a server is a function too, so any connector can be served.
///
/// ```swift
/// let body = try await LoopbackServer.serving(.stub(.hasResponse(zen))) { server in
///     await Endpoint.text(.get(server.url.absoluteString)).fetch()
/// }
/// ```
///
/// It speaks HTTP/1.1 with a thread for each connection, and is as strict as a server may be, so that a client's
/// mistakes are found; it sends no `Date`, so that answers can be compared. It binds to 127.0.0.1 and a port that the
/// system chooses, and nothing else can be asked of it. There is no TLS, no limit on time or on connections, and
/// nothing of what a server in the open needs.
public struct LoopbackServer: Sendable {
    /// The port that the system chose.
    public let port: UInt16

    /// `http://127.0.0.1:PORT`, without a path.
    public let url: URL

    /// What `receiveRequest` steps read, one element each: the very bytes as they arrived; empty where a connector is
    /// served.
    public let received: Recorder<Data>

    private let crew: ConnectionRegistry

    /// Why a server could not be started.
    public struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The call of POSIX that failed.
        public var call: String

        /// Its `errno`.
        public var code: Int32

        /// Both, and the system's words for it.
        public var description: String { "\(call): \(String(cString: strerror(code))) (\(code))" }
    }
}

extension LoopbackServer {
    /// Serves a connector over HTTP/1.1 while `body` runs, and has ended, with all its threads, when this returns.
    ///
    /// The connector gets the URL as it was asked for, queries included, and the fields in the order in which they
    /// came. If it has no response, the connection is closed without an answer.
    ///
    /// - Throws: ``StartError``, or what `body` throws.
    public static func serving<Result>(
        _ connector: Connector,
        body: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        try await start(serving: connector).stopped(after: body)
    }

    /// Plays a script to each connection while `body` runs: what a bad server does, byte by byte.
    ///
    /// ```swift
    /// try await LoopbackServer.playing({ _ in [.receiveRequest, .send("HTTP/1.1 200 OK\r\n"), .reset] }) { … }
    /// ```
    ///
    /// - Parameters:
    ///   - script: the steps for a connection, by its number; the first has 0.
    ///   - body: what is done with the server.
    /// - Throws: ``StartError``, or what `body` throws.
    public static func playing<Result>(
        _ script: @escaping @Sendable (Int) -> [ServerScriptStep],
        body: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        try await start(script: script).stopped(after: body)
    }

    /// Serves a connector over HTTP/1.1 until ``stop()``.
    public static func start(serving connector: Connector) throws(StartError) -> LoopbackServer {
        try start { server, _, socket in
            let origin = server.url.absoluteString
            HTTP1Service(connector: connector, origin: origin, stopped: server.crew.stopped).serve(socket)
        }
    }

    /// Plays a script to each connection until ``stop()``.
    public static func start(script: @escaping @Sendable (Int) -> [ServerScriptStep]) throws(StartError)
        -> LoopbackServer
    {
        try start { server, number, socket in
            ServerScript(received: server.received, stopped: server.crew.stopped).play(script(number), to: socket)
        }
    }

    /// Ends the listening and all connections, whatever they wait for; a second time changes nothing.
    ///
    /// Returns at once; the threads end soon after. What the connector is doing is cancelled.
    public func stop() {
        crew.stop()
    }

    private func stopped<Result>(after body: (LoopbackServer) async throws -> Result) async throws -> Result {
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(self)) } catch { result = .failure(error) }
        stop()
        await crew.ended.wait()
        return try result.get()
    }

    private static func start(
        _ converse: @escaping @Sendable (LoopbackServer, Int, LoopbackSocket) -> Void
    ) throws(StartError) -> LoopbackServer {
        let listener = try LoopbackListener.open()
        guard let url = URL(string: "http://127.0.0.1:\(listener.port)") else {
            listener.release()
            throw StartError(call: "URL", code: EINVAL)
        }
        let server = LoopbackServer(port: listener.port, url: url, received: Recorder(), crew: ConnectionRegistry())
        server.crew.start(wake: listener.wake, release: listener.release) {
            var number = 0
            while let socket = listener.nextConnection() {
                server.crew.start(wake: socket.wake, release: socket.release) { [number] in
                    converse(server, number, socket)
                }
                number += 1
            }
        }
        return server
    }
}
