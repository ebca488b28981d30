#if os(Linux)
    import Foundation
    import FoundationNetworking
    import GitHubAPI

    extension Engine {
        /// `URLSession` without StartSmall.
        static func bareURLSession(_ order: Order) -> Engine {
            let session = URLSession(configuration: .measured(order))
            return Engine(
                user: {
                    let (data, response) = try await session.data(for: URLRequest(url: order.user))
                    try response.check()
                    _ = try JSONDecoder().decode(GitHubUser.self, from: data)
                },
                downloadToMemory: {
                    let (data, response) = try await session.data(for: URLRequest(url: order.large))
                    try response.check()
                    return data.count
                },
                downloadToFile: { place in
                    let (file, response) = try await session.download(for: URLRequest(url: order.large))
                    try response.check()
                    try FileManager.default.moveItem(at: file, to: place)
                },
                upload: { file in
                    var request = URLRequest(url: order.upload)
                    request.httpMethod = "POST"
                    let (data, response) = try await session.upload(for: request, fromFile: file)
                    try response.check()
                    return Int(String(decoding: data, as: UTF8.self)) ?? 0
                }
            )
        }
    }

    extension URLSessionConfiguration {
        /// The ephemeral configuration without a cache, with the number of connections of every engine.
        static func measured(_ order: Order) -> URLSessionConfiguration {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = nil
            configuration.httpMaximumConnectionsPerHost = order.connections
            return configuration
        }
    }

    extension URLResponse {
        fileprivate func check() throws {
            let code = (self as? HTTPURLResponse)?.statusCode
            if code != 200 { throw WrongAnswer(what: "status \(code.map(String.init) ?? "none")") }
        }
    }
#endif
