import Foundation
@testable import StartSmall
import StartSmallTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct URLSessionUploadFileTests {
    private static let noContent = "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"

    @Test("the copy is the payload, readable by its owner alone, and is removed afterwards")
    func copy() async throws {
        try await withUpload(.pattern(count: 200_000)) { source, folder in
            let output = await URLSessionUploadFile.with(source, in: folder) { file in
                let isCopied = (try? Data(contentsOf: file)) == .pattern(count: 200_000)
                #expect(isCopied)
                let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
                #expect(attributes?[.posixPermissions] as? Int == 0o600)
                return .hasResponse(Response(statusCode: .ok))
            }
            #expect(output.response?.statusCode == .ok)
            #expect(Self.files(in: folder) == [])
        }
    }

    @Test("a changed file is an error before anything is sent, and leaves no copy")
    func changed() async throws {
        try await withUpload(Data(count: 200_000)) { source, folder in
            guard case .file(let file)? = source.pieces.first else { throw Unexpected(source) }
            truncate(file.path, 199_999)
            let output = await URLSessionUploadFile.with(source, in: folder) { _ in
                Issue.record("sent")
                return .noResponse(.cancelled)
            }
            #expect(output.connectionError?.name == "malformedPayload")
            #expect(Self.files(in: folder) == [])
        }
    }

    @Test("a missing folder is an error with the system's text, not an error of the payload")
    func missing() async throws {
        try await withUpload(Data([1])) { source, folder in
            let output = await URLSessionUploadFile.with(source, in: folder.appending(path: "no")) { _ in
                Issue.record("sent")
                return .noResponse(.cancelled)
            }
            #expect(output.connectionError?.name == "other")
            #expect(output.connectionError?.cause?.code == Int(ENOENT))
        }
    }

    @Test("a cancelled call copies nothing, and leaves nothing")
    func cancelled() async throws {
        try await withUpload(Data(count: 10)) { source, folder in
            let go = Latch()
            let call = Task {
                await Task { await go.wait() }.value
                return await URLSessionUploadFile.with(source, in: folder) { _ in
                    .hasResponse(Response(statusCode: .ok))
                }
            }
            call.cancel()
            go.open()
            #expect(await call.value == .noResponse(.cancelled))
            #expect(Self.files(in: folder) == [])
        }
    }

    #if !os(Linux) || APPLE_BRANCH
        @Test("one copy of a payload exists while it is sent, and none afterwards, however the call ended")
        func removed() async throws {
            let ends: [([ServerScriptStep], String?)] = [
                ([.receiveRequest, .send(Self.noContent)], nil), ([.reset], "connectionLost"),
            ]
            for (end, error) in ends {
                try await withUpload(Data(count: 16 * 1024 * 1024)) { source, folder in
                    guard case .file(let file)? = source.pieces.first else { throw Unexpected(source) }
                    let (begun, resume) = (Latch(), Latch())
                    try await LoopbackServer.playing({ _ in [.receiveHead, .open(begun), .wait(resume)] + end }) {
                        server in
                        let payload = Payload(.file(URL(filePath: file.path)), mediaType: nil)
                        let input = Input(url: server.url, methodAndPayload: .post(payload: payload))
                        let connector = Connector.urlSession(options: ConnectionOptions(uploadFolder: folder))
                        let call = Task { await WebAPI.call(with: input, via: connector) }
                        await begun.wait()
                        #expect(Self.files(in: folder).count == 1)
                        resume.open()
                        #expect(await call.value.connectionError?.name == error)
                        #expect(Self.files(in: folder) == [])
                    }
                }
            }
        }
    #endif

    private static func files(in folder: URL) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? ["unreadable"]
    }

    /// A source of a file with these bytes, and an empty folder for copies.
    private func withUpload(_ bytes: Data, _ body: (PayloadSource, URL) async throws -> Void) async throws {
        try await withFile(bytes) { file in
            let folder = file.deletingLastPathComponent().appending(path: "copies")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            try await body(PayloadSource(.file(file)), folder)
        }
    }
}
