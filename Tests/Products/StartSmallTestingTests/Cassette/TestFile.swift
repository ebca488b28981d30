import Foundation
import StartSmall
import StartSmallTesting

/// A separate cassette file for a test, removed when the test ends.
final class TestFile: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "StartSmallCassette-\(UUID())")

    /// The URL of the file, in a folder that does not exist yet.
    var url: URL { folder.appending(path: "cassette.json") }

    /// The URL of a HAR in the same folder.
    var har: URL { folder.appending(path: "cassette.har") }

    /// Returns a unique URL in the same folder.
    func another() -> URL { folder.appending(path: "\(UUID()).json") }

    /// The text of the file; empty if the file does not exist.
    var text: String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }

    /// The names of all files in the same folder.
    var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func write(_ text: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    deinit { remove() }
}

/// Requests and responses for the tests of cassettes.
enum Sample {
    // swift-format-ignore: NeverForceUnwrap
    static let user = Input(url: URL(string: "https://api.example.com/users/octocat")!)
    static let answer = Response(
        statusCode: .ok,
        headers: ["Content-Type": "application/json", "Link": "1", "link": "2"],
        payload: Data("{\n  \"login\": \"octocat\"\n}\n".utf8)
    )

    /// 2023-11-14T22:13:20Z.
    static let noon = Date(timeIntervalSince1970: 1_700_000_000)

    static func input(_ text: String, _ methodAndPayload: HTTPMethodAndPayload = .get, headers: HTTPHeaders = [:])
        -> Input
    {
        // swift-format-ignore: NeverForceUnwrap
        Input(url: URL(string: text)!, headers: headers, methodAndPayload: methodAndPayload)
    }
}

extension Connector {
    /// Records a stub's responses to these inputs, one after the other.
    static func recording(
        _ inputs: [Input],
        to file: TestFile,
        scrubbing: CassetteRedaction = .standard,
        _ answer: @escaping @Sendable (Input) async -> Output = { _ in .hasResponse(Sample.answer) }
    ) async {
        let connector = Connector.stub(answer).wrapped(
            by: .record(to: file.url, scrubbing: scrubbing, now: { Sample.noon })
        )
        for input in inputs { _ = await WebAPI.call(with: input, via: connector) }
    }
}
