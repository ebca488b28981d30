import Foundation
import QiitaAPI
import StartSmall
import Testing

/// The models of Qiita's API are decoded as by `JSONDecoder`.
struct QiitaJSONTests {
    private static let article = """
        {"id":"c686397e4a0f4f11683d","title":"最初の記事","body":"# First\\n","private":false,"likes_count":1,\
        "created_at":"2000-01-01T09:00:00+09:00","updated_at":"2000-01-02T00:00:00Z","comments_count":0,\
        "url":"https://qiita.com/Qiita/items/c686397e4a0f4f11683d","tags":[{"name":"Swift","versions":["6.2"]}],\
        "user":{"id":"qiita","permanent_id":1,"name":"キータ","followers_count":2,"description":null}}
        """

    @Test("an article has the same value, and fails without the same members", arguments: [true, false])
    func article(isISO8601: Bool) {
        let decoder = JSONDecoder()
        if isISO8601 { decoder.dateDecodingStrategy = .iso8601 }
        let texts =
            [Self.article] + Self.article.ranges(of: ":").map { Self.article.replacingCharacters(in: $0, with: "x:") }
            + Self.article.ranges(of: "\":").map { Self.article.replacingCharacters(in: $0, with: "x\":") }
        for text in texts {
            let payload = Data(text.utf8)
            let kit = Response(statusCode: .ok, payload: payload).json(QiitaArticle.self, decoder: decoder)
            #expect(kit.right == (try? decoder.decode(QiitaArticle.self, from: payload)))
        }
    }
}
