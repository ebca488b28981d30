import Foundation
import Testing

@testable import StartSmallCore
@testable import StartSmallURLSession

@Suite struct URLSessionTransferStateTests {
    private let start = SuspendingClock.now

    @Test(
        "the length of the payload is the total of the progress, unless it is compressed",
        arguments: [([:], 10), (["Content-Encoding": "gzip"], nil)] as [(HTTPHeaders, Int64?)]
    )
    func whole(headers: HTTPHeaders, total: Int64?) {
        var (state, headers) = (URLSessionTransferState(from: start), headers)
        headers["Content-Length"] = "10"
        state.received(head: Response(statusCode: .ok, headers: headers), at: start)
        state.received(4)
        let progress = state.takeProgress(at: start + .milliseconds(50))
        #expect(progress == TransferProgress(status: .ok, received: .init(bytes: 4, total: total)))
    }

    @Test("progress has to be reported an interval after the last report")
    func reportTime() {
        var state = URLSessionTransferState(from: start)
        #expect(state.reportTime == nil)
        state.received(4)
        #expect(state.reportTime == start + .milliseconds(50))
        #expect(state.takeProgress(at: start + .milliseconds(49)) == nil)
        #expect(state.takeProgress(at: start + .milliseconds(60))?.received.bytes == 4)
        #expect(state.reportTime == nil)
        state.received(1)
        #expect(state.reportTime == start + .milliseconds(110))
    }

    @Test("the last events have the sent and received bytes, and the times of the session, or those measured here")
    func end() {
        for measured in [nil, RequestTimings(connect: .milliseconds(1), total: .milliseconds(9), httpVersion: "2")] {
            var state = URLSessionTransferState(from: start)
            state.measured = measured
            state.sent(3, of: 3)
            state.received(head: Response(statusCode: .ok), at: start + .milliseconds(20))
            state.received(2)
            let last = TransferProgress(
                status: .ok,
                sent: .init(bytes: 3, total: 3),
                received: .init(bytes: 2, total: 2)
            )
            var timings = measured ?? RequestTimings(firstByte: .milliseconds(20), total: .milliseconds(30))
            (timings.sentBytes, timings.receivedBytes) = (3, 2)
            let reported = state.reported(isWhole: true, at: start + .milliseconds(30))
            #expect(reported == [.progress(last), .timings(timings)])
        }
    }
}
