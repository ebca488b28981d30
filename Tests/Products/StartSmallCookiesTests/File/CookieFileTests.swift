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

    @Test("the file and its lock can be read by their owner only, also where a link leads to their folder")
    func permissions() async throws {
        try await Self.withFile { url in
            let folder = url.deletingLastPathComponent()
            let link = FileManager.default.temporaryDirectory.appending(path: "link-\(UUID().uuidString)")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
            defer { try? FileManager.default.removeItem(at: link) }
            for place in [url, link.appending(path: "jar.json")] {
                try CookieFile(at: place).save(CookieFixture.jar("a=1; Max-Age=9"))
                #expect(try Self.mode(url) == 0o600)
                #expect(try Self.mode(url.appendingPathExtension("lock")) == 0o600)
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(names.sorted() == ["jar.json", "jar.json.lock"], "no temporary file is left")
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

    @Test("a lock that others can change, or that is no file, is an error of saving", arguments: 0..<3)
    func lock(_ kind: Int) async throws {
        try await Self.withFile { url in
            try CookieFile(at: url).save(CookieFixture.jar("a=1; Max-Age=9"))
            let lock = url.appendingPathExtension("lock")
            let path = lock.path(percentEncoded: false)
            switch kind {
            case 0: try Self.setMode(0o666, of: lock)
            case 1:
                try FileManager.default.removeItem(at: lock)
                #expect(mkfifo(path, 0o600) == 0)
            default:
                try FileManager.default.removeItem(at: lock)
                try FileManager.default.createSymbolicLink(at: lock, withDestinationURL: url)
            }
            #expect(throws: CookieFileError.self) { try CookieFile(at: url).save(CookieFixture.jar("b=1; Max-Age=9")) }
            #expect(try Self.content(url) == "a=1")
        }
    }

    @Test(
        "what another process has saved stays, unless this jar has removed or changed it",
        arguments: [
            // The file at first, what the other process does, what this one does, and the file at last.
            ("a=1", "b=2", "c=3", "a=1; b=2; c=3"), ("a=1", "a=2", "", "a=2"), ("a=1", "", "a=3", "a=3"),
            ("a=1", "-a", "", ""), ("a=1", "", "-a", ""), ("a=1", "a=2", "-a", ""),
            ("a=1", "-a", "a=3", "a=3"), ("", "a=2", "a=3", "a=3"), ("a=1", "-a", "-a", ""), ("", "a=1", "-a", "a=1"),
        ]
    )
    func merging(_ first: String, _ other: String, _ own: String, _ expected: String) async throws {
        func change(_ jar: CookieJar, _ cookie: String) {
            let setCookie = cookie.hasPrefix("-") ? "\(cookie.dropFirst())=; Max-Age=0" : "\(cookie); Max-Age=99"
            if !cookie.isEmpty { _ = jar.rejection(of: setCookie) }
        }
        try await Self.withFile { url in
            let start = CookieFixture.jar()
            change(start, first)
            try CookieFile(at: url).save(start)
            let (ownJar, otherJar) = (CookieFixture.jar(), CookieFixture.jar())
            let (ownFile, otherFile) = (CookieFile(at: url), CookieFile(at: url))
            try ownFile.load(into: ownJar)
            try otherFile.load(into: otherJar)
            change(otherJar, other)
            change(ownJar, own)
            try otherFile.save(otherJar)
            try ownFile.save(ownJar)
            #expect(try Self.content(url) == expected)
            try ownFile.save(ownJar)
            #expect(try Self.content(url) == expected, "saving twice is saving once")
        }
    }

    @Test("cookies that this jar can't take stay in the file")
    func otherPolicy() async throws {
        try await Self.withFile { url in
            try CookieFile(at: url).save(CookieFixture.jar("a=1; Max-Age=9; Domain=h.test"))
            let jar = CookieJar(policy: CookiePolicy(publicSuffixes: .unknown)) { CookieFixture.date }
            let file = CookieFile(at: url)
            try file.load(into: jar)
            #expect(jar.cookies.isEmpty)
            try file.save(jar)
            #expect(try Self.content(url) == "a=1")
        }
    }

    @Test("expired cookies leave the file")
    func expired() async throws {
        try await Self.withFile { url in
            try CookieFile(at: url).save(CookieFixture.jar("a=1; Max-Age=9", "b=1; Max-Age=99"))
            let later = CookieJar(policy: CookieFixture.policy) { CookieFixture.date + 10 }
            try CookieFile(at: url).save(later)
            #expect(try Self.content(url) == "b=1")
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

    @Test("law: of many jars that are saved at the same time, none loses a cookie")
    func concurrent() async throws {
        try await Self.withFile { url in
            try await withThrowingTaskGroup { group in
                for task in 0..<4 {
                    group.addTask {
                        let (jar, file) = (CookieFixture.jar(), CookieFile(at: url))
                        for number in 0..<5 {
                            _ = jar.rejection(of: "c\(task)-\(number)=1; Max-Age=9")
                            try file.save(jar)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try Self.content(url).split(separator: ";").count == 20)
        }
    }
}
