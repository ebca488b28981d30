import Foundation
import StartSmall
import StartSmallCookies
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmallCookies/StartSmallCookies.docc/StartSmallCookies.md, in order.
struct CookiesExamples {
    private static let url = URL(string: "https://www.example.com/")!

    @Test("a cookie of a response is sent with the next request, and a jar can be read and edited")
    func session() async throws {
        let sent = Recorder<Input>()
        let engine = Connector.stub(.text("hello", headers: ["Set-Cookie": "id=1; Secure"]), recording: sent)
        let jar = CookieJar()
        let app = Connector.standard(over: engine.wrapped(by: .cookies(in: jar)))

        for _ in 1...2 { #expect(await WebAPI.call(with: Input(url: Self.url), via: app).response != nil) }
        #expect(sent.elements.map { $0.headers["Cookie"] } == [nil, "id=1"])

        let url = Self.url
        let names = jar.cookies(for: url).map(\.name)
        try jar.set(Cookie(name: "theme", value: "dark", domain: "www.example.com"))
        #expect(names == ["id"] && jar.cookies(for: url).count == 2)

        jar.removeAll()
        #expect(jar.cookies.isEmpty)
    }

    @Test("a jar is saved in a file, or as a snapshot")
    func save() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let location = folder.appending(path: "cookies.json")
        let jar = CookieJar()
        try jar.receive("id=1; Max-Age=60; Secure", from: Self.url)

        let file = CookieFile(at: location)
        try file.load(into: jar)
        try file.save(jar)

        let saved = try JSONEncoder().encode(jar.snapshot())
        let restored = CookieJar(try JSONDecoder().decode(CookieSnapshot.self, from: saved))
        #expect(restored.cookies.map(\.name) == ["id"])
    }

    @Test("an app can have its own list of public suffixes")
    func suffixes() throws {
        let suffixes: Set = ["com", "co.uk"]
        let list = PublicSuffixList { domain in suffixes.contains(domain) }
        let jar = CookieJar(policy: CookiePolicy(publicSuffixes: list))
        try jar.receive("id=1; Domain=example.com", from: Self.url)
        #expect(throws: CookieRejection.publicSuffix) { try jar.receive("id=1; Domain=com", from: Self.url) }
    }
}
