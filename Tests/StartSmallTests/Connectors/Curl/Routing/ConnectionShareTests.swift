#if os(Linux)
    import Testing

    @testable import StartSmall

    @Suite("the shares of event loops in the limits of connections") struct ConnectionShareTests {
        private func shares(_ perHost: Int, _ total: Int, _ threads: Int) -> [ConnectionShare] {
            ConnectionShare.all(
                of: ConnectionOptions(
                    maxConnectionsPerHost: perHost,
                    maxConnections: total,
                    threads: threads,
                    proxy: .none
                )
            )
        }

        @Test("the sums of the shares are the limits, and no share is empty", arguments: 1...9)
        func sums(threads: Int) {
            for perHost in 1...20 {
                for total in 1...20 {
                    let shares = shares(perHost, total, threads)
                    #expect(shares.count == min(threads, perHost, total))
                    #expect(shares.map(\.perHost).reduce(0, +) == perHost)
                    #expect(shares.map(\.total).reduce(0, +) == total)
                    #expect(shares.allSatisfy { $0.perHost > 0 && $0.total > 0 })
                }
            }
        }

        @Test("shares differ by one at most") func rest() {
            #expect(shares(6, 9, 4).map(\.perHost) == [2, 2, 1, 1])
            #expect(shares(6, 9, 4).map(\.total) == [3, 2, 2, 2])
            #expect(shares(.max, .max, 256).count == 256)
        }

        @Test("invalid values have no share of zero connections") func invalid() {
            #expect(shares(0, 0, 0) == [ConnectionShare(perHost: 1, total: 1)])
            #expect(shares(.min, .max, .max).count == 1)
        }

        @Test("calls through a proxy have one loop, since libcurl counts their connections together")
        func proxy() throws {
            let proxied = ConnectionOptions(threads: 4, proxy: .url("http://proxy.example:3128"))
            #expect(ConnectionShare.all(of: proxied).count == 1)
            #expect(ConnectionShare.all(of: ConnectionOptions(threads: 4, proxy: .none)).count == 4)
        }
    }
#endif
