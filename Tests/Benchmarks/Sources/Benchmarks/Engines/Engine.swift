#if os(Linux)
    import Foundation
    import StartSmall
    import StartSmallURLSession

    /// An engine as a value: the measured operations, each in the form that the engine's documentation shows first.
    struct Engine: Sendable {
        /// Gets the small JSON, and decodes it if the engine's name says so.
        var user: @Sendable () async throws -> Void

        /// Gets the large file into memory, and returns its number of bytes.
        var downloadToMemory: @Sendable () async throws -> Int

        /// Gets the large file into a file at this URL.
        var downloadToFile: @Sendable (URL) async throws -> Void

        /// Sends this file, and returns the number of bytes that the server received.
        var upload: @Sendable (URL) async throws -> Int

        /// Sends a form with this file.
        var form: @Sendable (URL) async throws -> Void = { _ in throw WrongAnswer(what: "not measured") }

        /// Releases the engine's resources.
        var end: @Sendable () async throws -> Void = {}
    }

    /// An unexpected response during a measurement.
    struct WrongAnswer: Error {
        let what: String
    }

    enum EngineName: String, Codable, CaseIterable {
        case curl, curlUndecoded, urlSession, asyncHTTPClient, asyncHTTPClientUndecoded, asyncHTTPClientAsItComes
        case bareURLSession, bareCurl, bareCurlUndecoded

        /// Two engines over libcurl, instead of one.
        case curl2

        var title: String {
            switch self {
            case .curl: "StartSmall, .curl()"
            case .curl2: "StartSmall, two .curl()"
            case .curlUndecoded: "StartSmall, .curl(), not decoded"
            case .urlSession: "StartSmall, .urlSession()"
            case .asyncHTTPClient: "AsyncHTTPClient"
            case .asyncHTTPClientUndecoded: "AsyncHTTPClient, not decoded"
            case .asyncHTTPClientAsItComes: "AsyncHTTPClient as it comes"
            case .bareURLSession: "URLSession"
            case .bareCurl: "libcurl in C"
            case .bareCurlUndecoded: "libcurl in C, not decoded"
            }
        }

        /// Whether the small JSON is decoded.
        var decodes: Bool {
            switch self {
            case .curlUndecoded, .asyncHTTPClientUndecoded, .bareCurlUndecoded: false
            default: true
            }
        }

        /// Returns the engine; nil for libcurl in C, which has no tasks and runs its own loop.
        func engine(_ order: Order) -> Engine? {
            switch self {
            case .curl, .curlUndecoded: .startSmall(.curl(options: .measured(order)), order)
            case .curl2:
                .startSmall(.spread(over: (0..<2).map { _ in .curl(options: .measured(order, engines: 2)) }), order)
            case .urlSession: .startSmall(.urlSession(configuration: .measured(order), options: .ofSession), order)
            case .asyncHTTPClient, .asyncHTTPClientUndecoded: .asyncHTTPClient(order, connections: order.connections)
            case .asyncHTTPClientAsItComes: .asyncHTTPClient(order, connections: nil)
            case .bareURLSession: .bareURLSession(order)
            case .bareCurl, .bareCurlUndecoded: nil
            }
        }
    }
#endif
