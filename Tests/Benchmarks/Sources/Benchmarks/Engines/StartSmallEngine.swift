#if os(Linux)
    import Foundation
    import FoundationNetworking
    import GitHubAPI
    import StartSmall
    import StartSmallForms

    extension Engine {
        /// StartSmall over any of its engines.
        static func startSmall(_ connector: Connector, _ order: Order) -> Engine {
            let user = Endpoint(.right(Input(url: order.user)), transform: GitHubUser.from)
            let bytes = Endpoint.data(.right(Input(url: order.user)))
            let decodes = order.engine.decodes
            return Engine(
                user: {
                    if decodes {
                        _ = try await user.value(via: connector)
                    } else if try await bytes.value(via: connector).isEmpty {
                        throw WrongAnswer(what: "no payload")
                    }
                },
                downloadToMemory: {
                    try await Endpoint.data(.right(Input(url: order.large))).value(via: connector).count
                },
                downloadToFile: { place in
                    let input = Input(url: order.large, delivery: .file(place))
                    try await Endpoint.empty(.right(input)).value(via: connector)
                },
                upload: { file in
                    let endpoint = Endpoint.text(.post("\(order.upload)" as String, payload: .file(file)))
                    return Int(try await endpoint.value(via: connector)) ?? 0
                },
                form: { file in
                    let form: MultipartForm = [.text("name", "a GiB"), .file("file", file)]
                    try await Endpoint.empty(.post("\(order.upload)" as String, payload: .multipart(form))).value(
                        via: connector
                    )
                }
            )
        }
    }

    extension ConnectionOptions {
        /// The default options, with the number of connections of every engine, divided among the engines of a spread.
        static func measured(_ order: Order, engines: Int = 1) -> ConnectionOptions {
            var options = ConnectionOptions()
            options.maxConnectionsPerHost = max(1, order.connections / engines)
            options.maxConnections = max(order.connections, options.maxConnections)
            options.caFile = order.caFile
            if !order.multiplexes { options.httpVersion = .http1_1 }
            return options
        }

        /// The default options, with the idle timeout of a `URLSession`, so that both time out alike.
        static let ofSession = ConnectionOptions(
            idleTimeout: .seconds(URLSessionConfiguration.ephemeral.timeoutIntervalForRequest)
        )
    }
#endif
