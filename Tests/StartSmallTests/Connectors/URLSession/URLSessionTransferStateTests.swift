import Foundation
import Testing

@testable import StartSmall

@Suite struct URLSessionTransferStateTests {
    private let start = SuspendingClock.now

    @Test("The length of the payload is the whole of what is to come")
    func whole() {
        var course = URLSessionTransferState(from: start)
        course.received(head: Response(statusCode: .ok, headers: ["Content-Length": "10"]), at: start)
        course.received(4)
        let told = course.takeProgress(at: start + .milliseconds(50))
        #expect(told == TransferProgress(status: .ok, received: .init(bytes: 4, total: 10)))
    }

    @Test("The length of a compressed payload says nothing of the bytes that are given")
    func compressed() {
        var course = URLSessionTransferState(from: start)
        let headers: HTTPHeaders = ["Content-Length": "10", "Content-Encoding": "gzip"]
        course.received(head: Response(statusCode: .ok, headers: headers), at: start)
        course.received(40)
        let told = course.takeProgress(at: start + .milliseconds(50))
        #expect(told == TransferProgress(status: .ok, received: .init(bytes: 40)))
    }

    @Test("What is told at the end counts what was sent and received, and when the first byte came")
    func end() {
        var course = URLSessionTransferState(from: start)
        course.sent(3, of: 3)
        course.received(head: Response(statusCode: .ok), at: start + .milliseconds(20))
        course.received(2)
        let last = TransferProgress(status: .ok, sent: .init(bytes: 3, total: 3), received: .init(bytes: 2, total: 2))
        let timings = RequestTimings(
            firstByte: .milliseconds(20),
            total: .milliseconds(30),
            sentBytes: 3,
            receivedBytes: 2
        )
        #expect(course.told(isWhole: true, at: start + .milliseconds(30)) == [.progress(last), .timings(timings)])
    }

    @Test("What the session has measured is told instead, with the bytes counted here")
    func measured() {
        var course = URLSessionTransferState(from: start)
        course.received(head: Response(statusCode: .ok), at: start)
        course.received(2)
        course.measured = RequestTimings(connect: .milliseconds(1), total: .milliseconds(9), httpVersion: "2")
        let told = RequestTimings(
            connect: .milliseconds(1),
            total: .milliseconds(9),
            receivedBytes: 2,
            httpVersion: "2"
        )
        #expect(course.told(isWhole: true, at: start + .milliseconds(30)).last == .timings(told))
    }
}
