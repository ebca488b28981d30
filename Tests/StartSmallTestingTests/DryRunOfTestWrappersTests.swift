import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Dry runs through the wrappers for tests.
struct DryRunOfTestWrappersTests {
    private let input = Input(url: Sample.user.url)

    @Test("a dry run records and replays nothing, and takes no fault")
    func nothing() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "DryRun-\(UUID()).cassette")
        defer { try? FileManager.default.removeItem(at: file) }
        let sent = Recorder<Input>()
        let stub = Connector.stub(.text("hello"), recording: sent)
        let recording = stub.wrapped(by: .record(to: file))
        #expect(await recording.dryRun(input) == .request(input))
        #expect(!FileManager.default.fileExists(atPath: file.path()))
        _ = await WebAPI.call(with: input, via: recording)
        let replaying = stub.wrapped(by: .replay(from: file, order: .recorded))
        #expect(await replaying.dryRun(input) == .request(input))
        #expect(await WebAPI.call(with: input, via: replaying).response?.payload == Data("hello".utf8))
        let chaotic = stub.wrapped(by: .chaos(.status(.badGateway, when: .calls(1...1))))
        #expect(await chaotic.dryRun(input) == .request(input))
        #expect(await WebAPI.call(with: input, via: chaotic) == .status(.badGateway))
        #expect(sent.elements.count == 1)
    }
}
