import Foundation
import StartSmall
import StartSmallDiagnostics
import Testing

struct ServerTimingTests {
    private static let longest = String(repeating: "a", count: 1 << 20)

    @Test(
        "a Server-Timing field has the parts of the server's time, and a hostile one gets few of them",
        arguments: [
            (
                #"miss, db;dur=53, app;dur=47.2;desc="a, \"b\"";x=1"#,
                [
                    ServerTiming("miss"), ServerTiming("db", duration: .milliseconds(53)),
                    ServerTiming("app", duration: .milliseconds(47.2), text: #"a, "b""#),
                ]
            ),
            (" db ; DUR = 1 ; dur=2 ; desc= cache ", [ServerTiming("db", duration: .milliseconds(1), text: "cache")]),
            ("db;dur;desc=a", [ServerTiming("db", text: "a")]),
            (
                "db;dur=-1, c;dur=nan, d;dur=inf, e;dur=1e300, f;dur=x",
                ["db", "c", "d", "e", "f"].map { ServerTiming($0) }
            ),
            ("", []), (",,;=,", []), (#"db;desc="never closed, x"#, [ServerTiming("db", text: "never closed, x")]),
            (String(repeating: "a,", count: 100_000), Array(repeating: ServerTiming("a"), count: 64)),
            (longest, [ServerTiming(longest)]),
        ] as [(String, [ServerTiming])]
    )
    func field(value: String, expected: [ServerTiming]) {
        #expect(Response(statusCode: .ok, headers: ["Server-Timing": value]).serverTimings == expected)
    }

    @Test("parts of several fields and of trailers are one list")
    func several() {
        let fields = HTTPHeaders([.init(name: "server-timing", value: "a"), .init(name: "Server-Timing", value: "b")])
        let response = Response(statusCode: .ok, headers: fields, trailers: ["Server-Timing": "c;dur=1"])
        #expect(response.serverTimings.map(\.name) == ["a", "b", "c"])
        #expect(Response(statusCode: .ok).serverTimings.isEmpty)
    }
}
