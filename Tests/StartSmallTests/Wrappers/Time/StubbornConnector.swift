import Foundation
import StartSmall
import StartSmallTesting

extension Connector {
    /// Answers when the latch opens, and ignores cancellation.
    static func stubborn(until latch: Latch) -> Connector {
        Connector { _ in
            await Task.detached { await latch.wait() }.value
            return .hasResponse(Fixture.ok)
        }
    }

    /// Returns a connector whose head arrives when a latch opens, and whose payload when another one does.
    static func slow(head: Latch? = nil, reading: Latch = Latch(), payload: Latch) -> Connector {
        Connector { _ in
            await head?.wait()
            var response = Fixture.ok
            let body = ResponseBody(
                pulling: { () async throws(ConnectionError) -> Data? in
                    reading.open()
                    await payload.wait()
                    return nil
                },
                abort: payload.open
            )
            response.content = .body(body)
            return .hasResponse(response)
        }
    }
}
