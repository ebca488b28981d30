import AsyncHTTPClient
import AsyncHTTPClientConnector
import Foundation
import NIOSSL
import StartSmall
import StartSmallURLSession
import Testing

/// One engine in these tests.
enum Engine: String, CustomTestStringConvertible, CaseIterable, Sendable {
    case curl, urlSession, asyncHTTPClient

    var testDescription: String { rawValue }

    /// The engines with an option for the trusted authorities.
    static let withCAFile: [Engine] = [.curl, .asyncHTTPClient]

    /// Calls `body` with a connector that trusts the authorities in a file, or those of the system; it uses no proxy.
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
