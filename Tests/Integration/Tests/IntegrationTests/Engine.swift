import AsyncHTTPClient
import AsyncHTTPClientConnector
import Foundation
import NIOSSL
import StartSmall
import Testing

/// One engine in these tests.
enum Engine: String, CustomTestStringConvertible, CaseIterable, Sendable {
    case curl, urlSession, asyncHTTPClient

    var testDescription: String { rawValue }

    /// Those that can be told whom to trust, by an option.
    static let withCAFile: [Engine] = [.curl, .asyncHTTPClient]

    /// Calls with a connector that trusts those in a file, or whom the system trusts; it asks no proxy.
    func use<Result>(caFile: URL? = nil, _ body: (Connector) async throws -> Result) async throws -> Result {
        switch self {
        case .curl: return try await body(.curl(options: ConnectionOptions(proxy: .none, caFile: caFile)))
        case .urlSession: return try await body(.urlSession())
        case .asyncHTTPClient:
            var configuration = HTTPClient.Configuration.connector
            if let caFile {
                var tls = TLSConfiguration.makeClientConfiguration()
                tls.trustRoots = .file(caFile.path)
                configuration.tlsConfiguration = tls
            }
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            do {
                let result = try await body(.asyncHTTPClient(client))
                try await client.shutdown()
                return result
            } catch {
                try await client.shutdown()
                throw error
            }
        }
    }
}
