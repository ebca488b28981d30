import Foundation
import StartSmallTesting
import TestSupport
import Testing

import StartSmall
import StartSmallSupport
@testable import StartSmallCore

struct PayloadDeliveryTests {
    private let input = Either<ConnectionError, Input>.get("https://api.example.com/file")
    private let whole = Response(statusCode: .ok, payload: Data("new".utf8))

    /// A connector, and the payload that it writes to a file; nil if it leaves the file as it was.
    private struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let connector: Connector
        let written: String?
        let failure: String
        let expected: [MediaType]

        init(
            _ name: String,
            _ connector: Connector,
            writes written: String? = nil,
            fails failure: String = "",
            expecting expected: MediaType...
        ) {
            (testDescription, self.connector, self.written) = (name, connector, written)
            (self.failure, self.expected) = (failure, expected)
        }

        private static func typed(_ type: String?, _ text: String) -> Response {
            var response = Response(statusCode: .ok, payload: Data(text.utf8))
            response.headers["Content-Type"] = type
            return response
        }

        private static let parts = Connector.stub(parts: ["he", "llo"])
        private static let page = typed("text/html", "<p>")

        /// Loses the connection after the first part.
        private static let broken = Connector { _ in .open(Fixture.ok.head, ["half".utf8], then: Fixture.lost) }

        /// Answers with another output after any or no response.
        private static func replacing(by other: Output) -> Wrapper {
            Wrapper { input, next in
                _ = await next(input)
                return other
            }
        }

        private static let cancelling = Connector { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return .text("hello")
        }

        static let all = [
            Case("whole", .stub(.text("hello")), writes: "hello"),
            Case("parts", parts, writes: "hello"),
            Case(
                "parts of a wrapper",
                .stub(.status(.ok)).wrapped(by: Wrapper { _, _ in .open(page.head, [page.payload]) }),
                writes: "<p>"
            ),
            Case("no content", .stub(.status(.noContent)), writes: ""),
            Case("half", broken, fails: "connectionLost"),
            Case("whole after half", broken.wrapped(by: replacing(by: .text("hello"))), writes: "hello"),
            Case("404", .stub(.text("no", status: .notFound)), fails: "unexpectedStatusCode"),
            Case("500", .stub(.text("no", status: .internalServerError)), fails: "unexpectedStatusCode"),
            Case("cancelled, though whole", cancelling, fails: "cancelled"),
            Case("page", .stub(.hasResponse(page)), fails: "malformedData", expecting: "application/zip"),
            Case(
                "no type",
                .stub(.hasResponse(typed(nil, "<p>"))),
                fails: "malformedData",
                expecting: "application/zip"
            ),
            Case(
                "right type",
                .stub(.hasResponse(typed("application/zip", "PK"))),
                writes: "PK",
                expecting: "application/zip"
            ),
            Case("no content of a type", .stub(.status(.noContent)), writes: "", expecting: "application/zip"),
        ]
    }

    @Test("an existing file is replaced only by a complete one", arguments: Case.all, [nil, "old"])
    private func written(_ subject: Case, old: String?) async throws {
        let download = try await Download(replacing: old, expecting: subject.expected, via: subject.connector)
        #expect(download.text == subject.written ?? old)
        #expect(download.isAlone)
        #expect(download.isComplete == (subject.written != nil))
        let failure = download.error?.name ?? download.failure.map { "\($0)" } ?? ""
        #expect(failure.hasPrefix(subject.failure))
        guard case .unexpectedStatusCode(let refused)? = download.failure else { return }
        #expect(refused.payload == Data("no".utf8))
    }

    @Test("a replacing file keeps the access rights of the replaced file", arguments: [0o600, 0o640, 0o755])
    func mode(_ mode: Int) async throws {
        try await withFolder { folder async throws in
            let (file, manager) = (folder.appendingPathComponent("f"), FileManager.default)
            try Data("old".utf8).write(to: file)
            try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            _ = await Endpoint.download(input, to: file).fetch(via: .stub(.hasResponse(whole)))
            #expect(try manager.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == mode)
            #expect(try Data(contentsOf: file) == whole.payload)
        }
    }

    @Test("a response whose payload went to a file tells its size, also if it was refused or broke off")
    func deliveredSize() async throws {
        let whole = Response(statusCode: .ok, payload: Data(count: 1_000_000))
        let refusing = Wrapper.validate { _ in nil }
        let late = Wrapper { input, next in
            guard case .hasResponse(let response) = await next(input) else { return .noResponse(.cancelled) }
            return .noResponse(.rejected(response, reason: "late"))
        }
        let breaking = Connector { _ in
            let head = Response(statusCode: .ok)
            let lost = ConnectionError.connectionLost(.init(domain: "d", code: 1, text: "lost", partial: head))
            return .open(head, [Data(count: 600), Data(count: 400)], then: lost)
        }
        let ownResponse = Wrapper { _, _ in .hasResponse(whole) }
        try await withFolder { folder async throws in
            let input = Input(url: Fixture.url, delivery: .file(folder.appendingPathComponent("f")))
            let logged = Recorder<String>()
            let log = Wrapper.log(clock: ManualClock()) { logged.append($0) }
            let stub = Connector.stub(.hasResponse(whole))
            let output = await WebAPI.call(with: input, via: stub.wrapped(by: log, refusing))
            #expect(output.response?.description == "200 OK, 1000000 bytes delivered")
            #expect(logged.elements.last == "#1 ← 200 OK, 1000000 bytes, 0.000 s")
            let rejected = await WebAPI.call(with: input, via: stub.wrapped(by: late)).connectionError
            #expect(rejected?.description == "rejected: late: 200 OK, 1000000 bytes delivered")
            let lost = await WebAPI.call(with: input, via: breaking).connectionError
            #expect(lost?.description == "connectionLost: lost (d 1), after 200 OK, 1000 bytes delivered")
            let own = await WebAPI.call(with: input, via: stub.wrapped(by: ownResponse))
            #expect(own.response?.description == "200 OK, 1000000 bytes delivered")
        }
    }

    @Test("an error of a file is in words, without the domain and code of Foundation")
    func fileErrorInWords() async {
        let place = URL(filePath: "/nowhere/at all/f")
        let fetched = await Endpoint.download(input, to: place).fetch(via: .stub(.hasResponse(whole)))
        #expect(fetched.left?.left == .unwritableDestination(debugInfo: "f: No such file or directory"))
    }

    @Test("a node that is no regular file is not replaced, nor a link to one", arguments: [false, true])
    func otherNodes(_ isLink: Bool) async throws {
        try await withFolder { folder async throws in
            let (pipe, inner) = (folder.appendingPathComponent("pipe"), folder.appendingPathComponent("inner"))
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
            #expect(mkfifo(pipe.path, 0o600) == 0)
            for node in [pipe, inner, URL(filePath: "/dev/null")] {
                var place = node
                if isLink {
                    place = folder.appendingPathComponent("link to \(node.lastPathComponent)")
                    try FileManager.default.createSymbolicLink(at: place, withDestinationURL: node)
                } else if node.path == "/dev/null" {
                    // A process without the right to create files in the folder cannot show the defect.
                    continue
                }
                let before = try FileManager.default.attributesOfItem(atPath: place.path)
                let fetched = await Endpoint.download(input, to: place).fetch(via: .stub(.hasResponse(whole)))
                #expect(fetched.left?.left?.name == "unwritableDestination", "\(place)")
                let after = try FileManager.default.attributesOfItem(atPath: place.path)
                #expect(after[.type] as? FileAttributeType == before[.type] as? FileAttributeType, "\(place)")
                #expect(after[.systemFileNumber] as? Int == before[.systemFileNumber] as? Int, "\(place)")
            }
            #expect(try names(in: folder).allSatisfy { !$0.hasSuffix(".part") })
        }
    }

    @Test("a node that appears while the file is being written is not replaced")
    func lateNode() async throws {
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            let connector = Connector { _ in
                .open(Response(statusCode: .ok), ["hi".utf8]) { _ in mkfifo(file.path, 0o600) }
            }
            let fetched = await Endpoint.download(input, to: file).fetch(via: connector)
            #expect(fetched.left?.left?.name == "unwritableDestination")
            #expect(try names(in: folder) == ["f"])
        }
    }

    @Test("a link at the file's path is replaced, and its target stays unchanged", arguments: [nil, "old"])
    func link(_ target: String?) async throws {
        try await withFolder { folder async throws in
            let (file, place) = (folder.appendingPathComponent("f"), folder.appendingPathComponent("target"))
            try target.map { try Data($0.utf8).write(to: place) }
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: place)
            _ = await Endpoint.download(input, to: file).fetch(via: .stub(.hasResponse(whole)))
            #expect((try? Data(contentsOf: place)) == target.map { Data($0.utf8) })
            #expect(try Data(contentsOf: file) == whole.payload)
            #expect(try names(in: folder) == (target == nil ? ["f"] : ["f", "target"]))
        }
    }

    @Test("a partial file that will replace a file can be read by no other user meanwhile")
    func modeMeanwhile() async throws {
        try await withFolder { folder async throws in
            let (file, manager) = (folder.appendingPathComponent("f"), FileManager.default)
            try Data("old".utf8).write(to: file)
            try manager.setAttributes([.posixPermissions: 0o4755], ofItemAtPath: file.path)
            let part = try PartialFile(beside: file)
            let name = try #require(try names(in: folder).first { $0 != "f" })
            let path = folder.appendingPathComponent(name).path
            #expect(try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            try part.commit(to: file)
            #expect(try manager.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o755)
        }
    }

    @Test("a transform that cancels its task leaves no file, whatever the delivery and the status")
    func cancelledInTransform() async throws {
        try await withFolder { folder async throws in
            let place = folder.appendingPathComponent("f")
            for delivery in [Delivery.memory, .file(place)] {
                for status in [HTTPStatus.ok, .notFound] {
                    let endpoint = Endpoint<Never, HTTPStatus>(
                        input.map { $0.with { $0.delivery = delivery } }
                    ) { response in
                        withUnsafeCurrentTask { $0?.cancel() }
                        return .right(response.statusCode)
                    }
                    let log = EventLog()
                    let stub = Connector.stub(.status(status)).wrapped(by: .listen(to: log.listener))
                    #expect(await Task { await endpoint.fetch(via: stub) }.value == .left(.left(.cancelled)))
                    await endpoint.fetch(via: stub) { #expect($0 == .left(.left(.cancelled))) }.value
                    #expect(log.events.suffix(3) == [.cancelled, .failed, .ended])
                    #expect(try names(in: folder).isEmpty)
                }
            }
        }
    }

    @Test("cancelled once its file is in its place, a call without a transform still has its response, in both forms")
    func outputCancelledTooLate() async throws {
        try await withFolder { folder async throws in
            let log = EventLog()
            let canceller = Listener { (event: Event) in
                if case .received = event { withUnsafeCurrentTask { $0?.cancel() } }
            }
            let connector = Connector.stub(.hasResponse(whole)).wrapped(by: .listen(to: canceller + log.listener))
            let input = Input(url: Fixture.url, delivery: .file(folder.appendingPathComponent("f")))
            let output = await Task { await WebAPI.call(with: input, via: connector) }.value
            #expect(output.response?.statusCode == .ok)
            await WebAPI.call(with: input, via: connector) { #expect($0.response?.statusCode == .ok) }.value
            #expect(log.events.filter { $0 == .succeeded }.count == 2)
            #expect(!log.events.contains(.cancelled))
        }
    }

    @Test(
        "a URL that names no file is an error before anything is sent",
        arguments: ["https://example.com/tmp/f", "/tmp/f", "file:///tmp/startsmall%00-f"]
    )
    func noFile(_ place: String) async throws {
        let place = try #require(URL(string: place))
        let sent = Recorder<Input>()
        let connector = Connector { [whole] input in
            sent.append(input)
            return .hasResponse(whole)
        }
        let error = await Endpoint.download(input, to: place).fetch(via: connector).left?.left
        #expect(error?.name == "unwritableDestination" && sent.elements.isEmpty, "\(String(describing: error))")
    }

    @Test("a file name at the limit of its length can still be downloaded to", arguments: [200, 240, 255])
    func longName(_ count: Int) async throws {
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent(String(repeating: "n", count: count))
            #expect(await Endpoint.download(input, to: file).fetch(via: .stub(.hasResponse(whole))) == .right(file))
            #expect(try names(in: folder) == [file.lastPathComponent])
        }
    }
}
