import TestSupport
import Testing

@testable import StartSmallDownloads

struct FilenameSanitizerTests {
    @Test(
        "a safe name is unchanged",
        arguments: [
            "a", "a.txt", "a.tar.gz", "my file (1).txt", "日本語.pdf", "é.txt", "a'b&c", "null", "com10.txt", "connect",
        ]
    )
    func unchanged(_ name: String) {
        #expect(FilenameSanitizer.from(name) == name)
    }

    @Test(
        "characters that lead to another folder, hide a file or deceive are removed or replaced",
        arguments: [
            ("../../etc/passwd", "passwd"), (#"C:\Windows\a.ini"#, "a.ini"), ("/a", "a"), ("a:b", "a_b"),
            ("a\u{0}.txt\r\n", "a.txt"), ("a\u{85}\u{2028}b", "ab"), ("a\u{202E}fdp.exe", "afdp.exe"),
            ("\u{200B}a\u{FEFF}", "a"), (".bashrc", "bashrc"), ("a. . ", "a"), (" a ", "a"), ("\u{3000}a\u{A0}", "a"),
            ("<a>|?*\"", "_a_____"), ("a/.b", "b"), ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("/\u{301}a", "\u{301}a"),
        ]
    )
    func safe(_ name: String, _ expected: String) {
        #expect(FilenameSanitizer.from(name) == expected)
    }

    @Test(
        "a name of which nothing safe remains becomes nil",
        arguments: ["", ".", "..", "...", "/", "a/", "a\\", " ", "\u{0}", "../..", ". ."]
    )
    func nothing(_ name: String) {
        #expect(FilenameSanitizer.from(name) == nil)
    }

    @Test(
        "device names of Windows are prefixed with _, with any extension and in any case",
        arguments: ["NUL", "con", "Aux.txt", "PRN.tar.gz", "COM1", "lpt9.log", "com¹", "CONIN$", "nul .txt"]
    )
    func devices(_ name: String) {
        #expect(FilenameSanitizer.from(name) == "_\(name)")
    }

    @Test("a long name is cut to the limit before its extension, and never within a character's bytes")
    func long() throws {
        for letter in ["a", "é", "日", "😀"] {
            let name = try #require(FilenameSanitizer.from(String(repeating: letter, count: 500) + ".jpeg"))
            #expect(name.hasSuffix("\(letter).jpeg"))
            #expect(
                (FilenameSanitizer.longest - 4...FilenameSanitizer.longest).contains(name.utf8.count),
                "\(name.utf8.count)"
            )
        }
        let longest = String(repeating: "a", count: FilenameSanitizer.longest)
        #expect(FilenameSanitizer.from(longest) == longest && FilenameSanitizer.from(longest + "a") == longest)
        let device = "nul." + String(repeating: "a", count: FilenameSanitizer.longest)
        #expect(
            FilenameSanitizer.from(device).map { $0.hasPrefix("_nul.a") && $0.utf8.count == FilenameSanitizer.longest }
                == true
        )
        let extended = FilenameSanitizer.from("a." + String(repeating: "b", count: 300))
        #expect(extended?.hasPrefix("a.bbb") == true)
    }

    @Test("a sanitized name is one path component within the limit, and stays the same if sanitized again")
    func laws() {
        let marks = ["/", "\\", ".", " ", ":", "\u{0}", "\u{202E}", "a", "é", "NUL", "com1", "\u{301}"]
        let long = String(repeating: " ", count: 300)
        for text in Hostile.texts(of: marks) + ["CON\(long)x.txt", "\(long)nul.\(long)b", "con.\(long)a.b"] {
            guard let safe = FilenameSanitizer.from(text) else { continue }
            #expect(FilenameSanitizer.from(safe) == safe, "\(text)")
            #expect(!safe.isEmpty && safe != "." && safe != ".." && safe.utf8.count <= FilenameSanitizer.longest)
            #expect(!safe.unicodeScalars.contains { "/\\:\u{0}\u{202E}".unicodeScalars.contains($0) }, "\(text)")
        }
    }
}
