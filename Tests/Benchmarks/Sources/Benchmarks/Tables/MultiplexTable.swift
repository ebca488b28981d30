#if os(Linux)
    import Foundation

    /// The cost of a call over TLS: with HTTP/2 over one connection, and with HTTP/1.1 over one connection per call.
    enum MultiplexTable {
        private static let engines: [EngineName] = [.curlUndecoded, .asyncHTTPClientUndecoded, .bareCurlUndecoded]
        private static let atOnce = 100

        static func measure(_ server: Nginx) throws {
            let single = try turns(server, multiplexes: false)
            let shared = try turns(server, multiplexes: true)
            single.show("\(atOnce) at a time, TLS, HTTP/1.1", engines, relativeTo: .curlUndecoded)
            shared.show("\(atOnce) at a time, TLS, HTTP/2", engines, relativeTo: .curlUndecoded)
            let cost = { (turns: Turns) in turns.median(.curlUndecoded, \.microsecondsOfCPU) }
            guard let single = cost(single), let shared = cost(shared) else { return }
            Columns.decision("CPU of .curl() with HTTP/1.1 to HTTP/2", single / shared, atLeast: 1, \.percent)
        }

        private static func turns(_ server: Nginx, multiplexes: Bool) throws -> Turns {
            try Turns(UsersTable.turns, of: engines) { engine in
                var order = Order(engine, .users, server)
                (order.user, order.caFile) = (server.secureUser, server.certificate)
                (order.atOnce, order.connections, order.multiplexes) = (atOnce, atOnce, multiplexes)
                order.seconds = UsersTable.seconds
                return order
            }
        }
    }
#endif
