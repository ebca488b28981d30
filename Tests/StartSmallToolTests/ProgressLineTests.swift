import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallTool

struct ProgressLineTests {
    /// Returns the text that is written for the events of a call.
    private func written(
        showsDownload: Bool,
        terminals: Set<Console.Stream> = [.error],
        _ act: @escaping @Sendable (ProgressLine, CallContext) -> Void
    ) async -> String {
        let errors = Recorder<Data>()
        let console = Console(write: { _ in }, writeError: { errors.append($0) }, terminals: terminals)
        let line = ProgressLine(console, showsDownload: showsDownload)
        let connector = Connector { _, context in
            act(line, context)
            return .noResponse(.cancelled)
        }
        let input = Input(url: URL(filePath: "/"))
        _ = await WebAPI.call(with: input, via: connector.wrapped(by: .listen(to: line.listener)))
        return String(decoding: errors.elements.reduce(Data(), +), as: UTF8.self)
            .replacing("\r\u{1B}[2K", with: "|")
    }

    private let sending = Event.progress(TransferProgress(sent: .init(bytes: 5_000_000)))
    private let receiving = Event.progress(
        TransferProgress(sent: .init(bytes: 5_000_000), received: .init(bytes: 100_000))
    )

    @Test("an upload is shown on a terminal, and removed when the response arrives", arguments: [false, true])
    func upload(showsDownload: Bool) async {
        let text = await written(showsDownload: showsDownload) { [sending] _, context in
            context.report(sending)
            context.report(.receivedHead(Response(statusCode: .ok)))
        }
        #expect(text == "|5.0 MB|")
    }

    @Test("a download is shown if it goes to a file, and only then")
    func download() async {
        let act = { @Sendable [receiving] (_: ProgressLine, context: CallContext) in context.report(receiving) }
        #expect(await written(showsDownload: true, act) == "|0.1 MB|")
        #expect(await written(showsDownload: false, act) == "")
        #expect(await written(showsDownload: true, terminals: [.output], act) == "")
    }

    @Test("no line is written or removed once the payload is on the terminal")
    func over() async {
        let text = await written(showsDownload: false) { [sending] line, context in
            context.report(sending)
            line.hide(forGood: true)
            context.report(sending)
        }
        #expect(text == "|5.0 MB|")
    }

    @Test(
        "a progress line shows the received bytes, and the total if it is known",
        arguments: [
            (0, 10_000_000, "[                    ]   0 %  0.0 of 10.0 MB"),
            (5_000_000, 10_000_000, "[██████████          ]  50 %  5.0 of 10.0 MB"),
            (10_000_000, 10_000_000, "[████████████████████] 100 %  10.0 of 10.0 MB"),
            (20_000_000, 10_000_000, "[████████████████████] 100 %  20.0 of 10.0 MB"),
            (1_250_000, nil, "1.2 MB"),
            (1_250_000, 0, "1.2 MB"),
        ]
    )
    func text(_ bytes: Int64, _ total: Int64?, _ expected: String) {
        #expect(ProgressLine.text(of: .init(bytes: bytes, total: total)) == expected)
    }
}
