import Foundation
@testable import StartSmallCookies
import Testing

struct CookieFileTests {
    /// Calls a function with a file in a new folder, which is removed after it.
    private static func withFile(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cookies-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appending(path: "jar.json"))
    }

    /// Returns the cookies in a file, as another process reads them.
    private static func content(_ url: URL) throws -> String {
        let jar = CookieFixture.jar()
        try CookieFile(at: url).load(into: jar)
        return jar.header() ?? ""
    }

    private static func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path(percentEncoded: false))[.posixPermissions] as? Int
    }

    /// Writes a file that only its user can read, as ``CookieFile`` does.
    private static func write(_ data: Data, to url: URL) throws {
        try data.write(to: url)
        try setMode(0o600, of: url)
    }

    private static func setMode(_ mode: Int, of url: URL) throws {
        let path = url.path(percentEncoded: false)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test("a jar comes back from its file, without its session cookies, or with them; a missing or empty one has none")
    func roundTrip() async throws {
        try await Self.withFile { url in
            #expect(try Self.content(url) == "")
            try Self.write(Data(), to: url)
            #expect(try Self.content(url) == "")
            let strict = "é=e\u{301}; Max-Age=9; Secure; HttpOnly; SameSite=Strict"
            let jar = CookieFixture.jar("a=1; Max-Age=9", "b=1", strict)
            try CookieFile(at: url).save(jar)
            #expect(try Self.content(url) == "a=1; é=e\u{301}")
            try CookieFile(at: url, includingSession: true).save(jar)
            #expect(try Self.content(url) == "a=1; b=1; é=e\u{301}")
            let again = CookieFixture.jar()
            try CookieFile(at: url).load(into: again)
            for (left, right) in zip(again.cookies, jar.cookies) { #expect(left.hasSameContent(as: right)) }
        }
    }

    @Test("the file can be read by its owner only, also where a link leads to its folder")
    func permissions() async throws {
        try await Self.withFile { url in
            let folder = url.deletingLastPathComponent()
            let link = FileManager.default.temporaryDirectory.appending(path: "link-\(UUID().uuidString)")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
            defer { try? FileManager.default.removeItem(at: link) }
            for place in [url, link.appending(path: "jar.json")] {
                try CookieFile(at: place).save(CookieFixture.jar("a=1; Max-Age=9"))
                #expect(try Self.mode(url) == 0o600)
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(names == ["jar.json"], "no temporary file is left")
            }
        }
    }

    /// Loads and saves a file that must be refused, and checks that neither changes it.
    private static func expectRefusal(of url: URL, because reason: String) throws {
        let content = try Data(contentsOf: url)
        let jar = CookieFixture.jar("b=1; Max-Age=9")
        for attempt in [{ try CookieFile(at: url).load(into: jar) }, { try CookieFile(at: url).save(jar) }] {
            let error = try #require(throws: CookieFileError.self) { try attempt() }
            #expect("\(error)".contains(reason) && !"\(error)".contains("s3cr3t"), "\(error)")
        }
        #expect(try Data(contentsOf: url) == content)
        #expect(jar.header() == "b=1")
    }

    @Test(
        "a file that others can read or change is neither read nor replaced",
        arguments: [0o604, 0o620, 0o777]
    )
    func open(_ mode: Int) async throws {
        try await Self.withFile { url in
            try CookieFile(at: url).save(CookieFixture.jar("a=1; Max-Age=9"))
            try Self.setMode(mode, of: url)
            try Self.expectRefusal(of: url, because: "its mode must be 0600")
            try Self.setMode(0o600, of: url)
            #expect(try Self.content(url) == "a=1")
        }
    }

    @Test("a file of another user is neither read nor replaced", .enabled(if: geteuid() == 0))
    func foreign() async throws {
        try await Self.withFile { url in
            try CookieFile(at: url).save(CookieFixture.jar("a=1; Max-Age=9"))
            #expect(chown(url.path(percentEncoded: false), 65_534, 65_534) == 0)
            try Self.expectRefusal(of: url, because: "another user")
        }
    }

    @Test("a saved jar replaces the file, without what it has removed, and what is expired")
    func replaced() async throws {
        try await Self.withFile { url in
            try CookieFile(at: url).save(CookieFixture.jar("a=1; Max-Age=9"))
            let jar = CookieFixture.jar("b=1; Max-Age=99")
            try CookieFile(at: url).save(jar)
            #expect(try Self.content(url) == "b=1")
            jar.removeAll()
            try CookieFile(at: url).save(jar)
            #expect(try Self.content(url) == "")
        }
    }

    @Test(
        "a file that is none of cookies is refused, and never replaced",
        arguments: [
            "{", #"{"version": 9, "cookies": []}"#, "# Netscape HTTP Cookie File\n",
            #"{"version": 1, "cookies": [{"name": "a", "value": "s3cr3t"}]}"#,
        ]
    )
    func malformed(_ text: String) async throws {
        try await Self.withFile { url in
            try Self.write(Data(text.utf8), to: url)
            let error = CookieFileError.malformed(path: url.path(percentEncoded: false))
            try Self.expectRefusal(of: url, because: "\(error)")
        }
    }

    @Test("a value in a file can't break out of the header field")
    func hostileFile() async throws {
        try await Self.withFile { url in
            let bad = Cookie(
                name: "a",
                value: "b\r\nX-Injected: 1",
                domain: "h.test",
                expiresAt: CookieFixture.date + 9
            )
            let good = Cookie(name: "c", value: "d", domain: "h.test", expiresAt: CookieFixture.date + 9)
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .secondsSince1970
            try Self.write(encoder.encode(CookieSnapshot([bad, good])), to: url)
            #expect(try Self.content(url) == "c=d")
        }
    }

    @Test("a folder that is missing, a folder in its place, and a pipe have their errors")
    func unusable() async throws {
        try await Self.withFile { url in
            let (jar, missing) = (CookieFixture.jar("a=1; Max-Age=9"), url.appending(path: "missing.json"))
            #expect(throws: CookieFileError.self) { try CookieFile(at: missing).save(jar) }
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            #expect(throws: CookieFileError.self) { try CookieFile(at: url).load(into: jar) }
            #expect(throws: CookieFileError.self) { try CookieFile(at: url).save(jar) }
            try FileManager.default.removeItem(at: url)
            #expect(mkfifo(url.path(percentEncoded: false), 0o600) == 0)
            #expect(throws: CookieFileError.self) { try CookieFile(at: url).load(into: jar) }
        }
    }

    @Test("a symbolic link is neither followed nor replaced, wherever it leads")
    func link() async throws {
        try await Self.withFile { url in
            let link = url.deletingLastPathComponent().appending(path: "link.json")
            try CookieFile(at: url).save(CookieFixture.jar("a=1; Max-Age=9"))
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
            try Self.expectRefusal(of: link, because: "a symbolic link")
            #expect(try Self.content(url) == "a=1")
            // One that leads nowhere is not created either.
            try FileManager.default.removeItem(at: url)
            #expect(throws: CookieFileError.self) { try CookieFile(at: link).save(CookieFixture.jar("a=1; Max-Age=9")) }
            #expect(!FileManager.default.fileExists(atPath: url.path(percentEncoded: false)))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path(percentEncoded: false)) != "")
        }
    }
}
