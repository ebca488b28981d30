import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallTool

struct ProgressLineTests {
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
