import Foundation
import StartSmall
import Testing

@testable import StartSmallResilience

struct CallKeyTests {
    @Test(
        "two URLs have one key exactly if they have one origin",
        arguments: [
            "https://a.test", "https://a.test/", "https://A.TEST/x", "HTTPS://a.test", "https://a.test:443/",
            "http://a.test",
            "http://a.test:80", "http://a.test:443", "https://a.test:80", "https://a.test:8443/", "https://b.test/",
            "https://user:secret@a.test/", "https://a.test@b.test/", "https://a.test?x=/", "https://a.test#b",
            "https://[::1]/", "https://[::1]:443", "http://[::1]:443", "https://xn--r8jz45g.test/", "https://a.test./",
            "https://a.test:0443/", "https://a.test:/", "ftp://a.test/", "https:///x", "/relative",
        ]
    )
    func sameAsOrigin(_ text: String) throws {
        let url = try #require(URL(string: text))
        for other in Self.others {
            let isSame = Origin(url) == Origin(other)
            #expect((CallKey.origin(Input(url: url)) == CallKey.origin(Input(url: other))) == isSame, "\(other)")
        }
        #expect(!CallKey.origin(Input(url: url)).contains("secret"))
    }

    @Test("two hosts at one URL, and one host at two URLs, have keys of their own")
    func hosts() throws {
        func key(_ url: String, _ hosts: String...) throws -> String {
            let headers = HTTPHeaders(hosts.map { .init(name: "Host", value: $0) })
            return CallKey.origin(Input(url: try #require(URL(string: url)), headers: headers))
        }
        let gateway = "http://10.0.0.1:8080/"
        let keys = try [
            key(gateway), key(gateway, "a.test"), key(gateway, "b.test"), key(gateway, "a.test:81"),
            key("http://10.0.0.2:8080/", "a.test"), key("http://a.test/"), key("https://10.0.0.1:8080/", "a.test"),
            key(gateway, "a/b"),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(try key(gateway, "A.TEST:80") == keys[1] && key(gateway, "10.0.0.1:8080") == keys[0])
        #expect(try key("http://a.test/x", "A.test") == keys[5] && key("http://a.test/", "a.test:80") == keys[5])
        #expect(try key(gateway, "a", "b") == key(gateway, "c/d"), "no service")
    }

    private static let others = [
        "https://a.test/", "http://a.test/", "https://b.test/", "https://a.test:8443", "http://a.test:443/",
        "https://[::1]/", "https://a.test:80/",
    ].compactMap { URL(string: $0) }

    @Test("a state is removed when it is no longer used, and the others stay")
    func removal() {
        struct Counter: ExpiringState {
            var count = 0
            func isUnused(at now: Duration) -> Bool { count == 1 }
        }
        var states = KeyedStates { Counter() }
        for _ in 0..<2 { states.withState(of: "used", at: .zero) { $0.count += 1 } }
        for number in 0..<10_000 { states.withState(of: "\(number)", at: .zero) { $0.count += 1 } }
        #expect(states.count <= 2 * KeyedStates<Counter>.leastCount)
        #expect(states.withState(of: "used", at: .zero) { $0.count } == 2)
    }
}
