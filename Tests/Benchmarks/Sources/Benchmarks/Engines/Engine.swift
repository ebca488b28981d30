#if os(Linux)
    import Foundation
    import GitHubAPI
    import StartSmall

    /// An engine as a value: what is measured of each, in the way that its documentation shows first.
    struct Engine: Sendable {
        /// Gets the small JSON and decodes it.
        var user: @Sendable () async throws -> GitHubUser

        /// Gets the large file into memory; how many bytes that were.
        var downloadToMemory: @Sendable () async throws -> Int

        /// Gets the large file into this one.
        var downloadToFile: @Sendable (URL) async throws -> Void

        /// Sends this file; how many bytes the server says it got.
        var upload: @Sendable (URL) async throws -> Int

        /// Sends a form with this file.
        var form: @Sendable (URL) async throws -> Void = { _ in throw WrongAnswer(what: "not measured") }

        /// Ends what must be ended.
        var end: @Sendable () async throws -> Void = {}
    }

    /// Something that must not happen while it is measured.
    struct WrongAnswer: Error {
        let what: String
    }

    enum EngineName: String, Codable, CaseIterable {
        case curl, urlSession, asyncHTTPClient, asyncHTTPClientAsItComes, bareURLSession, bareCurl, bareCurlUndecoded

        var title: String {
            switch self {
            case .curl: "StartSmall, .curl()"
            case .urlSession: "StartSmall, .urlSession()"
            case .asyncHTTPClient: "AsyncHTTPClient"
            case .asyncHTTPClientAsItComes: "AsyncHTTPClient as it comes"
            case .bareURLSession: "URLSession"
            case .bareCurl: "libcurl in C"
            case .bareCurlUndecoded: "libcurl in C, not decoded"
            }
        }

        /// Nil for libcurl in C, which has no tasks and is a loop of its own.
        func engine(_ order: Order) -> Engine? {
            switch self {
            case .curl: .startSmall(.curl(options: .measured(order)), order)
            case .urlSession: .startSmall(.urlSession(configuration: .measured(order), options: .ofSession), order)
            case .asyncHTTPClient: .asyncHTTPClient(order, connections: order.connections)
            case .asyncHTTPClientAsItComes: .asyncHTTPClient(order, connections: nil)
            case .bareURLSession: .bareURLSession(order)
            case .bareCurl, .bareCurlUndecoded: nil
            }
        }
    }
#endif
