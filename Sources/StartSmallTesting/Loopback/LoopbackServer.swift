public import Foundation
public import StartSmall

/// An HTTP/1.1 server on 127.0.0.1 that serves any connector, for tests and examples only.
///
/// ```swift
/// let body = try await LoopbackServer.serving(.stub(.hasResponse(zen))) { server in
///     await Endpoint.text(.get(server.url.absoluteString)).fetch()
/// }
/// ```
///
/// A server is a function too, from a request to a response, so any connector can be served. The server uses one thread
/// per connection, and is as strict as a server may be, so that it detects a client's mistakes. The server sends no
/// `Date`, so that tests can compare responses. The server binds to 127.0.0.1 and a port that the system chooses;
/// neither is configurable. There is no TLS, no limit on time or on connections, and nothing else that a public server
/// needs.
public struct LoopbackServer: Sendable {
    /// The port that the system chose.
    public let port: UInt16

    /// The base URL `http://127.0.0.1:PORT`, without a path.
    public let url: URL

    /// The exact bytes that `receiveRequest` steps have read, one element each; empty if a connector is served.
    public let received: Recorder<Data>

    private let registry: ConnectionRegistry

    /// An error that prevented a server's start.
    public struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The POSIX call that failed.
        public var call: String

        /// The `errno` of the call.
        public var code: Int32

        /// The call, the code and the system's message for the code.
        public var description: String { "\(call): \(String(cString: strerror(code))) (\(code))" }
    }
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
    /// - Throws: ``StartError``, or any error of `body`.
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
    /// - Throws: ``StartError``, or any error of `body`.
    public static func playing<Result>(
        _ script: @escaping @Sendable (Int) -> [ServerScriptStep],
        body: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        try await start(script: script).stopped(after: body)
    }

    /// Serves a connector over HTTP/1.1 until ``stop()``.
    ///
    /// - Parameter connector: the connector that answers the requests.
    /// - Throws: ``StartError``.
    public static func start(serving connector: Connector) throws(StartError) -> LoopbackServer {
        try start { server, _, socket in
            let origin = server.url.absoluteString
            HTTP1Service(connector: connector, origin: origin, stopped: server.registry.stopped).serve(socket)
        }
    }

    /// Plays a script to each connection until ``stop()``.
    ///
    /// - Parameter script: returns the steps for a connection by its number, from 0.
    /// - Throws: ``StartError``.
    public static func start(script: @escaping @Sendable (Int) -> [ServerScriptStep]) throws(StartError)
        -> LoopbackServer
    {
        try start { server, number, socket in
            ServerScript(received: server.received, stopped: server.registry.stopped).play(script(number), to: socket)
        }
    }

    /// Closes the listening socket and all connections, regardless of their state; a second call has no effect.
    ///
    /// The function returns immediately; the threads end soon after. Running calls of the connector are cancelled.
    public func stop() {
        registry.stop()
    }

    private func stopped<Result>(after body: (LoopbackServer) async throws -> Result) async throws -> Result {
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(self)) } catch { result = .failure(error) }
        stop()
        await registry.ended.wait()
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
        let server = LoopbackServer(port: listener.port, url: url, received: Recorder(), registry: ConnectionRegistry())
        server.registry.start(wake: listener.wake, release: listener.release) {
            var number = 0
            while let socket = listener.nextConnection() {
                server.registry.start(wake: socket.wake, release: socket.release) { [number] in
                    converse(server, number, socket)
                }
                number += 1
            }
        }
        return server
    }
}
