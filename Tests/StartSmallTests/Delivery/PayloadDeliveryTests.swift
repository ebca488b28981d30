import Foundation
import StartSmallTesting
import Testing

@testable import StartSmall

struct PayloadDeliveryTests {
    private let input = Either<ConnectionError, Input>.get("https://api.example.com/file")
    private let whole = Response(statusCode: .ok, payload: Data("new".utf8))

    /// Loses the connection after the first part.
    private static let broken = Connector { _ in
        .open(Response(statusCode: .ok), ["half".utf8], then: Fixture.lost)
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("a successful payload is written to the file, and the response has no payload")
    func success() async throws {
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            let log = EventLog()
            let stub = Connector.stub(.hasResponse(whole)).wrapped(by: .listen(to: log.listener))
            #expect(await Endpoint.download(input, to: file).fetch(via: stub) == .right(file))
            #expect(try Data(contentsOf: file) == Data("new".utf8))
            #expect(try names(in: folder) == ["f"])
            #expect(log.events.contains(.received(Response(statusCode: .ok))))
        }
    }

    @Test("an empty payload is an empty file")
    func empty() async throws {
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            let stub = Connector.stub(.hasResponse(Response(statusCode: .noContent)))
            #expect(await Endpoint.download(input, to: file).fetch(via: stub) == .right(file))
            #expect(try Data(contentsOf: file).isEmpty)
        }
    }

    @Test("an existing file is replaced only by a complete one")
    func replaced() async throws {
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            try Data("old".utf8).write(to: file)
            let error = await Endpoint.download(input, to: file).fetch(via: Self.broken).left?.left
            #expect(error == Fixture.lost(after: Response(statusCode: .ok)))
            #expect(try Data(contentsOf: file) == Data("old".utf8))
            #expect(try names(in: folder) == ["f"])
            _ = await Endpoint.download(input, to: file).fetch(via: .stub(.hasResponse(whole)))
            #expect(try Data(contentsOf: file) == Data("new".utf8))
        }
    }

    @Test("a complete payload after parts of a lost connection replaces those parts")
    func wholeAfterParts() async throws {
        let fallback = Wrapper { [whole] input, next in
            let output = await next(input)
            return output.response == nil ? .hasResponse(whole) : output
        }
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            let fetched = await Endpoint.download(input, to: file).fetch(via: Self.broken.wrapped(by: fallback))
            #expect(fetched == .right(file))
            #expect(try Data(contentsOf: file) == Data("new".utf8))
        }
    }

    @Test("a success without content after parts of a lost connection gives an empty file")
    func nothingAfterParts() async throws {
        let fallback = Wrapper { input, next in
            let output = await next(input)
            return output.response == nil ? .status(.noContent) : output
        }
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            let fetched = await Endpoint.download(input, to: file).fetch(via: Self.broken.wrapped(by: fallback))
            #expect(fetched == .right(file))
            #expect(try Data(contentsOf: file).isEmpty)
        }
    }

    @Test(
        "a payload of an unexpected media type does not replace a good file",
        arguments: [["Content-Type": "text/html"], [:]] as [HTTPHeaders]
    )
    func unexpectedType(_ headers: HTTPHeaders) async throws {
        let response = Response(statusCode: .ok, headers: headers, payload: Data("<html>".utf8))
        let parts = Connector { _ in .open(Response(statusCode: .ok, headers: headers), [response.payload]) }
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            try Data("old".utf8).write(to: file)
            let endpoint = Endpoint.download(input, to: file).expecting("application/zip")
            for connector in [parts, .stub(.hasResponse(response))] {
                guard case .malformedData? = await endpoint.fetch(via: connector).failure else {
                    Issue.record("not refused")
                    return
                }
                #expect(try Data(contentsOf: file) == Data("old".utf8))
                #expect(try names(in: folder) == ["f"])
            }
        }
    }

    @Test("a payload of the expected type replaces the file, and so does none", arguments: [HTTPStatus.ok, .noContent])
    func expectedType(_ status: HTTPStatus) async throws {
        let isWhole = status == .ok
        let response = Response(
            statusCode: status,
            headers: isWhole ? ["Content-Type": "application/zip"] : [:],
            payload: Data((isWhole ? "PK" : "").utf8)
        )
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            let endpoint = Endpoint.download(input, to: file).expecting("application/zip")
            #expect(await endpoint.fetch(via: .stub(.hasResponse(response))) == .right(file))
            #expect(try Data(contentsOf: file) == response.payload)
        }
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
            #expect(logged.elements.last == "#1 ← 200 OK, 1000000 bytes delivered, 0.000 s")
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
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.hasSuffix(".part") }
            )
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
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["f"])
        }
    }

    @Test("a dangling link is replaced, and no file appears at its target")
    func danglingLink() async throws {
        try await withFolder { folder async throws in
            let (file, target) = (folder.appendingPathComponent("f"), folder.appendingPathComponent("target"))
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
            _ = await Endpoint.download(input, to: file).fetch(via: .stub(.hasResponse(whole)))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["f"])
            #expect(try Data(contentsOf: file) == whole.payload)
        }
    }

    @Test("a link at the file's path is replaced, and its target stays unchanged")
    func link() async throws {
        try await withFolder { folder async throws in
            let (file, target) = (folder.appendingPathComponent("f"), folder.appendingPathComponent("target"))
            try Data("old".utf8).write(to: target)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
            _ = await Endpoint.download(input, to: file).fetch(via: .stub(.hasResponse(whole)))
            #expect(try Data(contentsOf: target) == Data("old".utf8))
            #expect(try Data(contentsOf: file) == whole.payload)
        }
    }

    @Test("each of several expected types holds for a file")
    func expectedTwice() async throws {
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            let endpoint = Endpoint.download(input, to: file).expecting("application/*").expecting("text/*")
            let response = Response(statusCode: .ok, headers: ["Content-Type": "text/html"], payload: Data("a".utf8))
            #expect(await endpoint.fetch(via: .stub(.hasResponse(response))).right == nil)
            #expect(try names(in: folder).isEmpty)
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

    @Test("a refused response stays in memory, for the transform to read", arguments: [404, 500])
    func refused(_ status: Int) async throws {
        try await withFolder { folder async throws in
            let response = Response(statusCode: .from(code: status), payload: Data("no".utf8))
            let fetched = await Endpoint.download(input, to: folder.appendingPathComponent("f"))
                .fetch(via: .stub(.hasResponse(response)))
            #expect(fetched == .left(.right(.unexpectedStatusCode(response))))
            #expect(try names(in: folder).isEmpty)
        }
    }

    @Test("a cancelled call leaves no file, even if the payload was whole")
    func cancelled() async throws {
        try await withFolder { folder async throws in
            let stub = Connector { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                return .hasResponse(whole)
            }
            let endpoint = Endpoint.download(input, to: folder.appendingPathComponent("f"))
            #expect(await Task { await endpoint.fetch(via: stub) }.value == .left(.left(.cancelled)))
            #expect(try names(in: folder).isEmpty)
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

    @Test("a missing folder is an error that names the file")
    func noFolder() async throws {
        let file = URL(fileURLWithPath: "/no/such/folder/f")
        let error = await Endpoint.download(input, to: file).fetch(via: .stub(.hasResponse(whole))).left?.left
        #expect(error?.name == "unwritableDestination")
        #expect(error?.debugInfo.hasPrefix("f: ") == true)
    }

    @Test("a failure to put the file into its place leaves no other file beside it")
    func folderInPlace() async throws {
        try await withFolder { folder async throws in
            let place = folder.appendingPathComponent("f")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
            let error = await Endpoint.download(input, to: place).fetch(via: .stub(.hasResponse(whole))).left?.left
            #expect(error?.name == "unwritableDestination")
            #expect(try names(in: folder) == ["f"])
            #expect(try names(in: place).isEmpty)
        }
    }
}
