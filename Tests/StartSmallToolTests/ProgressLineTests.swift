import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallTool

struct ProgressLineTests {
    /// The number of a call, and what is written for its events.
    private func written(
        showsDownload: Bool,
        terminals: Set<Console.Stream> = [.error],
        _ act: (ProgressLine, (Event) -> Void) -> Void
    ) -> String {
        let errors = Recorder<Data>()
        let console = Console(write: { _ in }, writeError: { errors.append($0) }, terminals: terminals)
        let line = ProgressLine(console, showsDownload: showsDownload)
        act(line) { line.listener.observe($0, CallID(rawValue: 0)) }
        return String(decoding: errors.elements.reduce(Data(), +), as: UTF8.self)
            .replacing("\r\u{1B}[2K", with: "|")
    }

    private let upload = Event.progress(TransferProgress(sent: .init(bytes: 5_000_000)))
    private let download = Event.progress(
        TransferProgress(sent: .init(bytes: 5_000_000), received: .init(bytes: 100_000))
    )

    @Test("an upload is shown on a terminal, and removed when the response arrives")
    func upload() {
        for showsDownload in [false, true] {
            let text = written(showsDownload: showsDownload) { _, observe in
                observe(upload)
                observe(.receivedHead(Response(statusCode: .ok)))
                observe(.ended)
            }
            #expect(text == "|5.0 MB|")
        }
    }

    @Test("a download is shown if it goes to a file, and only then")
    func download() {
        #expect(written(showsDownload: true) { $1(download) } == "|0.1 MB")
        #expect(written(showsDownload: false) { $1(download) } == "")
        #expect(written(showsDownload: true, terminals: [.output]) { $1(download) } == "")
    }

    @Test("no line is written or removed once the payload is on the terminal")
    func over() {
        let text = written(showsDownload: false) { line, observe in
            observe(upload)
            line.hide(forGood: true)
            observe(upload)
            observe(.ended)
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
