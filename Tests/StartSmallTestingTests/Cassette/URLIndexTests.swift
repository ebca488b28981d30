import StartSmall
import Testing

@testable import StartSmallTesting

/// The number of comparisons that a search for a request takes: without an index, it grows with the cassette.
struct URLIndexTests {
    private static func url(_ number: Int) -> URLParts {
        Sample.input("https://a/items/\(number)?page=\(number)&size=100").url.parts
    }

    @Test("a request is compared with the exchanges of its URL, whatever the number of exchanges")
    func comparesSameURL() {
        let places = URLIndex((0..<4_000).map(Self.url))
        for number in 0..<4_000 {
            #expect(places.same(as: Self.url(number)).indices == [number])
            #expect(places.similar(to: Self.url(number)).map(\.indices) == [[number]])
        }
        #expect(places.same(as: Self.url(4_000)).indices.isEmpty)
        #expect(places.similar(to: Self.url(4_000)).isEmpty)
    }

    @Test("exchanges that were played are not compared again")
    func skipsPlayed() {
        let places = URLIndex(Array(repeating: Self.url(1), count: 4_000))
        var (open, comparisons, found) = (OpenPlaces(in: places), 0, [Int]())
        for _ in 0..<4_000 {
            let first = open.first(in: places.same(as: Self.url(1))) { _ in
                comparisons += 1
                return true
            }
            guard let first else { break }
            open.remove(first)
            found.append(first)
        }
        #expect(found == Array(0..<4_000))
        #expect(comparisons == 4_000)
        #expect(open.first(in: places.all) { _ in true } == nil)
    }

    @Test("each of many exchanges is found")
    func findsEach() {
        let exchanges = (0..<4_000).map { number in
            Exchange(
                input: Sample.input("https://a/items/\(number)?page=\(number)&size=100"),
                response: Response(statusCode: .ok),
                recorded: Sample.noon
            )
        }
        var playback = Playback(exchanges, order: .any, matching: .methodAndURL, secrets: NumberedSecrets())
        let missing = exchanges.filter { playback.play($0.input, oldest: nil) != .found($0) }
        #expect(missing.isEmpty)
    }
}
