import Foundation
import Testing

@testable import StartSmallTool

struct TerminalTextTests {
    private static let text = "a\u{1B}[31m é\r\n\t\r日本🎉\u{9B}\u{202E}\u{200D}\0\u{7F}\r"
    private static let shown =
        #"a\u001b[31m é"# + "\r\n\t" + #"\u000d日本🎉\u009b\u202e"# + "\u{200D}" + #"\u0000\u007f\u000d"#

    @Test("control characters are escaped, but line ends and tabs are not")
    func visible() {
        #expect(TerminalText.visible(Self.text) == Self.shown)
    }

    @Test("a text cut at any byte is shown like the whole text")
    func parts() {
        let bytes = Data(Self.text.utf8)
        for cut in 0...bytes.count {
            var text = TerminalText()
            let shown = text.take(bytes[..<cut]) + text.take(Data()) + text.take(bytes[cut...]) + text.finish()
            #expect(String(decoding: shown, as: UTF8.self) == Self.shown, "\(cut)")
        }
    }

    @Test(
        "invalid UTF-8 is replaced by U+FFFD",
        arguments: [[0x9B], [0xC2], [0xE3, 0x81], [0xF0], [0xFF]]
    )
    func malformed(_ bytes: [UInt8]) {
        var text = TerminalText()
        let shown = text.take(Data(bytes)) + text.finish()
        #expect(String(decoding: shown, as: UTF8.self).unicodeScalars.allSatisfy { $0 == "\u{FFFD}" })
    }
}
