#if os(Linux)
    import Foundation
    import Testing

    @testable import StartSmall

    @Suite("The backlog of calls that have not begun") struct CurlBacklogTests {
        @Test("Calls leave in the order in which they came, but for those that left before") func order() throws {
            var backlog = CurlBacklog()
            for id in 1...5 as ClosedRange<UInt64> { backlog.append(try call(id)) }
            #expect(backlog.leave(3)?.id == 3)
            #expect(backlog.leave(3) == nil && backlog.leave(9) == nil)
            #expect(backlog.next()?.id == 1 && backlog.leave(1) == nil)
            backlog.append(try call(6))
            #expect([backlog.next(), backlog.next(), backlog.next(), backlog.next()].map { $0?.id } == [2, 4, 5, 6])
            #expect(backlog.isEmpty && backlog.next() == nil)
        }

        @Test("A backlog that all have left is as new") func emptied() throws {
            var backlog = CurlBacklog()
            backlog.append(try call(1))
            #expect(backlog.leave(1)?.id == 1 && backlog.isEmpty && backlog.next() == nil)
            backlog.append(try call(2))
            #expect(backlog.next()?.id == 2 && backlog.isEmpty)
        }

        private func call(_ id: UInt64) throws -> CurlCall {
            let request = try #require(WireRequest.from(Input(url: Fixture.url)).right)
            return CurlCall(
                id: id,
                request: request,
                payloadLimit: nil,
                answer: .parts(CurlChannel(takesParts: false, isHeard: false) {})
            )
        }
    }
#endif
