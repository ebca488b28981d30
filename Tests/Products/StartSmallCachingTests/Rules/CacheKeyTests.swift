import Foundation
import StartSmall
import Testing

@testable import StartSmallCaching

struct CacheKeyTests {
    private func key(_ url: String, _ headers: HTTPHeaders = [:], _ queries: [URLQueryItem] = []) -> CacheKey? {
        let input = Input(url: URL(string: url)!, queries: queries, headers: headers)
        return CacheKey(for: input, identity: RequestIdentity(headers))
    }

    private static let normal: [(url: String, key: String)] = [
        ("https://h/a?b=c", "https://h/a?b=c"),
        ("HTTPS://Api.Example.COM/A", "https://api.example.com/A"),
        ("https://h", "https://h/"),
        ("https://h?b", "https://h/?b"),
        ("https://h:443/", "https://h/"),
        ("http://h:80/", "http://h/"),
        ("http://h:/", "http://h/"),
        ("http://h:443/", "http://h:443/"),
        ("https://[::1]:8080/a", "https://[::1]:8080/a"),
        ("https://[2001:DB8::1]/", "https://[2001:db8::1]/"),
        ("https://h/a#b", "https://h/a"),
        ("https://h/%7ea%2Fb%2f%41", "https://h/%7ea%2Fb%2f%41"),
        ("https://h/a?", "https://h/a?"),
        ("https://u:p@h/a", "https://h/a"),
        ("https://h/@a:b", "https://h/@a:b"),
    ]

    @Test("equivalent URLs have one normal form (RFC 9110 4.2.3)", arguments: normal)
    func normalForm(_ row: (url: String, key: String)) {
        #expect(key(row.url)?.url == row.key)
        #expect(key(row.key)?.url == row.key, "a normal form stays")
    }

    @Test(
        "other URLs have other keys",
        arguments: ["https://h/A", "http://h/a", "https://h/a?", "https://h/a/", "https://h/%2561"]
    )
    func different(_ url: String) {
        #expect(key(url)?.url != key("https://h/a")?.url)
    }

    @Test("query items are part of the key, as they are sent")
    func queries() {
        let items = [URLQueryItem(name: "b", value: "c d"), URLQueryItem(name: "e", value: nil)]
        #expect(key("https://h/a?x=1", [:], items)?.url == "https://h/a?x=1&b=c%20d&e")
    }

    @Test("the Host of a request is that of its key, in normal form, with its queries (RFC 9110 7.1)")
    func hosts() {
        let gateway = "http://127.0.0.1:8080/a?b"
        for (host, url) in [
            ("t", "http://t/a?b&c"), ("T:80", "http://t/a?b&c"), (" t", "http://t/a?b&c"), ("t:", "http://t/a?b&c"),
            ("t:8080", "http://t:8080/a?b&c"), ("127.0.0.1:8080", gateway + "&c"),
            ("a/b", nil), ("", nil), ("a,b", nil),
        ] {
            #expect(key(gateway, ["Host": host], [URLQueryItem(name: "c", value: nil)])?.url == url, "\(host)")
        }
        #expect(key(gateway, ["Host": "a", "Host": "a"]) == nil)
        let (own, anonymous) = (key("https://u:p@h/", ["Host": "t"]), key("https://h/", ["Host": "t"]))
        #expect(own?.url == anonymous?.url && own?.identity != anonymous?.identity)
    }

    @Test("a request without credentials is anonymous, and credentials are only in a digest")
    func identity() throws {
        #expect(key("https://h/a", ["Accept": "b"])?.identity == "")
        let own = try #require(key("https://h/a", ["Authorization": "Bearer secret"]))
        #expect(!own.identity.isEmpty && !"\(own)".contains("secret"))
        #expect(own.url == key("https://h/a")?.url)
    }

    @Test("different credentials have different identities, however they are split or named")
    func injective() {
        let lists: [HTTPHeaders] = [
            [:], ["Authorization": "a"], ["Authorization": "b"], ["Cookie": "a"],
            ["Authorization": "a", "Cookie": "a"],
            ["Cookie": "a", "Cookie": "b"], ["Cookie": "ab"], ["Cookie": "a6:cookie1:b"], ["Cookie": "acookie:b"],
            ["Cookie": ""],
            ["Cookie": "b", "Cookie": "a"], ["X-API-Key": "a"],
        ]
        let urls = ["https://h/", "https://u@h/", "https://u:p@h/", "https://u:@h/", "https://@h/"]
        let keys = urls.flatMap { url in lists.compactMap { key(url, $0) } }
        #expect(Set(keys).count == urls.count * lists.count)
    }

    @Test("the order of fields with different names, and the case of names, do not matter")
    func order() {
        let one = key("https://h/", ["Cookie": "a", "Authorization": "b"])
        #expect(one == key("https://h/", ["authorization": "b", "COOKIE": "a"]))
    }
}

struct CacheStatusTests {
    @Test("the text of a status is a member of Cache-Status (RFC 9211 2)")
    func texts() {
        #expect(
            "\(CacheStatus(isHit: true, ttl: -30, detail: "max-stale"))" == "StartSmall; hit; ttl=-30; detail=max-stale"
        )
        let miss = CacheStatus(forward: "stale", forwardStatus: 304, ttl: 60, isStored: true, isCollapsed: true)
        #expect("\(miss)" == "StartSmall; fwd=stale; fwd-status=304; ttl=60; stored; collapsed")
    }

    @Test(
        "the status of another cache is none of this cache, and no hit",
        arguments: ["", ";", "hit", "Other; hit", "startsmall; hit", "StartSmaller; hit", "StartSmall2"]
    )
    func others(_ text: String) {
        let response = Response(statusCode: .ok, headers: ["Cache-Status": text])
        #expect(response.cacheStatus == nil && !response.isFromCache)
    }

    @Test("the last status counts, and earlier ones stay (RFC 9211 2)")
    func last() {
        let response = Response(statusCode: .ok, headers: ["Cache-Status": "Edge; hit"]).adding(
            CacheStatus(isHit: true)
        )
        #expect(response.headers.values(of: "Cache-Status") == ["Edge; hit", "StartSmall; hit"])
        #expect(response.cacheStatus == "StartSmall; hit" && response.isFromCache)
        #expect(!response.adding(CacheStatus(forward: "stale")).isFromCache)
    }
}

struct VaryTests {
    private static let foo: HTTPHeaders = ["Vary": "Foo"]

    /// The fields of a response, of its request and of a later request, and whether the response is for both.
    private static let rows: [(String, vary: HTTPHeaders, HTTPHeaders, HTTPHeaders, isMatch: Bool)] = [
        ("equal", foo, ["Foo": "1"], ["foo": "1"], true),
        ("different", foo, ["Foo": "1"], ["Foo": "2"], false),
        ("values are case-sensitive", foo, ["Foo": "a"], ["Foo": "A"], false),
        ("absent in both", foo, [:], ["Bar": "1"], true),
        ("absent in one", foo, [:], ["Foo": "1"], false),
        ("empty is not absent", foo, ["Foo": ""], [:], false),
        ("blanks", foo, ["Foo": "1 2"], ["Foo": "12"], false),
        ("lines joined", foo, ["Foo": "1", "Foo": "2"], ["Foo": "1, 2"], true),
        ("blanks around commas", foo, ["Foo": "1, 2"], ["Foo": "1 ,\t2 "], false),
        ("order", foo, ["Foo": "1, 2"], ["Foo": "2, 1"], false),
        ("two fields", ["Vary": "Foo, Bar"], ["Foo": "1", "Bar": "2"], ["Bar": "2", "Foo": "1"], true),
        ("two lines", ["Vary": "Foo", "Vary": "Bar"], ["Foo": "1", "Bar": "2"], ["Foo": "1", "Bar": "3"], false),
        ("other fields do not matter", foo, ["Foo": "1", "Bar": "2"], ["Foo": "1"], true),
        ("no Vary", [:], ["Foo": "1"], ["Foo": "2"], true),
        ("empty Vary", ["Vary": " , "], ["Foo": "1"], ["Foo": "2"], true),
        ("*", ["Vary": "*"], [:], [:], false),
        (", *", ["Vary": ", *"], [:], [:], false),
        ("Foo, *", ["Vary": "Foo, *"], [:], [:], false),
        ("* on another line", ["Vary": "Foo", "Vary": "*"], [:], [:], false),
        ("not a name", ["Vary": "Foo Bar"], [:], [:], false),
        ("not in ASCII", ["Vary": "A, \u{E9}"], [:], [:], false),
    ]

    @Test("a response is for requests whose fields that Vary names are equal in normal form (4.1)", arguments: rows)
    func matching(_ why: String, _ vary: HTTPHeaders, _ one: HTTPHeaders, _ other: HTTPHeaders, isMatch: Bool) throws {
        for (original, presented) in [(one, other), (other, one)] {
            let stored = try StoredResponse.at(vary).selected(by: Input.get(original).cacheable)
            #expect(try stored.isSelected(by: Input.get(presented).cacheable) == isMatch)
        }
    }

    @Test("a list of more than 100 names matches no request")
    func limit() throws {
        let names = (1...Vary.maximumNames).map { "a\($0)" }.joined(separator: ",")
        let request = try Input.get().cacheable
        #expect(StoredResponse.at(["Vary": names]).isSelected(by: request))
        #expect(!StoredResponse.at(["Vary": names + ",b"]).isSelected(by: request))
    }

    @Test(
        "the values of credentials are stored as digests only, also of those that only the options of the cache name",
        arguments: ["Authorization", "Cookie", "X-API-Key", "X-Tenant"]
    )
    func credentials(_ name: String) {
        let request = HTTPHeaders([.init(name: name, value: "secret"), .init(name: "Accept", value: "a")])
        let identity = RequestIdentity(request, alsoNaming: ["X-Tenant"])
        let variant = Vary(["Vary": "\(name), Accept"]).variant(of: request, identity)
        #expect(variant["Accept"] == "a" && variant[name] == HexadecimalDigest.sha256(of: "secret"))
    }
}
