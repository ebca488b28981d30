import StartSmall
import Testing

@testable import GitHubBrowser

struct ProgressLineTests {
    @Test(
        "the progress line shows the received bytes, and the total if it is known",
        arguments: [
            (0, 3_000_000, "0.0 of 3.0 MB, 0 %"),
            (3_000_000, 3_000_000, "3.0 of 3.0 MB, 100 %"),
            (1_250_000, nil, "1.2 MB"),
        ]
    )
    func text(_ bytes: Int64, _ total: Int64?, _ expected: String) {
        #expect(ProgressLine.text(of: .init(bytes: bytes, total: total)) == expected)
    }
}
