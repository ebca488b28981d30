import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

/// A body that was read, or that has another reader, is an error for whoever reads it next: never a payload of 0 bytes.
@Suite(.timeLimit(.minutes(1))) struct SecondReaderTests {
    private static let head = Response(statusCode: .ok, headers: ["A": "b"])

    /// A stub that answers two calls with one body.
    private static func stub(_ status: HTTPStatus = .ok) -> Connector {
        var response = Response(statusCode: status)
        response.content = .body(ResponseBody(Data("hello".utf8)))
        return .stub(.hasResponse(response))
    }

    private enum Form: CaseIterable, Sendable {
        case memory, stream, file

        func input(_ folder: URL) -> Input {
            switch self {
            case .memory: Fixture.input
            case .stream: Fixture.input.with { $0.delivery = .stream }
            case .file: Fixture.input.with { $0.delivery = .file(folder.appending(path: "f")) }
            }
        }
    }

    @Test(
        "a stub with one body answers the first of two calls only, in any form and inside of any wrapper",
        arguments: Form.allCases,
        Form.allCases
    )
    private func twice(_ first: Form, _ second: Form) async throws {
        let bytewise = Wrapper.streaming { input, next in await next(input).mapBody { $0.map { $0 } } }
        let wrappers: [[Wrapper]] = [
            [], [.timeout(.seconds(60))], [.retry()], [bytewise], [Wrapper { await $1($0) }],
        ]
        try await withFolder { folder async throws in
            for wrappers in wrappers {
                for status in [HTTPStatus.ok, .notFound] {
                    let app = Self.stub(status).wrapped(by: .all(wrappers))
                    let output = await WebAPI.call(with: first.input(folder), via: app)
                    if let body = output.response?.body { while case .success(_?) = await body.read() {} }
                    let read = await ReadOutput(await WebAPI.call(with: second.input(folder), via: app))
                    #expect(read.error?.name == "other", "\(wrappers.map(\.name)) \(status)")
                    // The status is known, and a file of the first call is not replaced.
                    if case .file = first { continue }
                    #expect(try names(in: folder).isEmpty || second == .file && first == .file)
                }
                try? FileManager.default.removeItem(at: folder.appending(path: "f"))
            }
        }
    }

    @Test("a wrapper that remembers an output whose reader came to its own end has none for the next call")
    func remembered() async {
        let app = Self.stub()
        let input = Fixture.input.with { $0.delivery = .stream }
        await WebAPI.call(with: input, via: app).response?.body?.finish()
        #expect(await WebAPI.call(with: Fixture.input, via: app).connectionError?.name == "other")
    }

    @Test("a second call does not end the body that the first one still reads", arguments: Form.allCases)
    private func firstReader(_ second: Form) async throws {
        let output = Output.open(Self.head, ["ab".utf8, "c".utf8])
        let app = Connector { _ in output }
        try await withFolder { folder async throws in
            let stream = await WebAPI.call(with: Form.stream.input(folder), via: app)
            #expect(try await stream.response?.body?.next() == Data("ab".utf8))
            #expect(await WebAPI.call(with: second.input(folder), via: app).connectionError?.name == "other")
            #expect(try await stream.response?.body?.next() == Data("c".utf8))
            #expect(try await stream.response?.body?.next() == nil)
            #expect(try names(in: folder).isEmpty)
        }
    }

    @Test("a body that was given to one around it, and read there, is no complete empty one")
    func givenAway() async throws {
        let body = ResponseBody(Data("hello".utf8))
        let outer = body.map { $0 }
        #expect(try await outer.next() == Data("hello".utf8))
        #expect(try await outer.next() == nil)
        // The reader itself may ask again.
        #expect(try await outer.next() == nil)
        for second in [body, body.map { $0 }, outer.map { $0 }] {
            await #expect(throws: ConnectionError.self) { _ = try await second.next() }
        }
        await #expect(throws: ConnectionError.self) { for try await _ in outer {} }
    }

    @Test("a body without bytes is read once like any other, also inside of a retry", arguments: [false, true])
    func empty(_ retries: Bool) async throws {
        let output = Output.open(Self.head, [[UInt8]]())
        let app = Connector { _ in output }.wrapped(by: .all(retries ? [.retry()] : []))
        let read = await ReadOutput(await WebAPI.call(with: Fixture.input.with { $0.delivery = .stream }, via: app))
        #expect(read.text == "" && read.error == nil)
        #expect(await WebAPI.call(with: Fixture.input, via: app).connectionError?.name == "other")
    }
}
