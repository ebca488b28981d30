import Foundation

/// The texts and models of ``JSONCost``.
enum JSONTexts {
    struct Account: Decodable {
        let login: String
        let id: Int
    }

    struct Plan: Decodable {
        let name: String
        let space: Int
    }

    /// A user with the names of the text.
    struct User: Decodable {
        let login: String
        let id: Int
        let node_id: String
        let avatar_url: URL
        let site_admin: Bool
        let name: String?
        let company: String?
        let bio: String?
        let public_repos: Int
        let followers: Int
        let created_at: Date
        let score: Double
        let plan: Plan
        let tags: [String]
    }

    /// A user with names that are converted.
    struct CamelUser: Decodable {
        let login: String
        let id: Int
        let nodeId: String
        let avatarUrl: URL
        let siteAdmin: Bool
        let name: String?
        let company: String?
        let bio: String?
        let publicRepos: Int
        let followers: Int
        let createdAt: Date
        let score: Double
        let plan: Plan
        let tags: [String]
    }

    static let account = Data(#"{"login":"kuniwak","id":1124024}"#.utf8)

    /// An array of users with 420 bytes each.
    static func users(_ count: Int) -> Data {
        list(count) { number in
            """
            {"login":"user\(number)","id":\(number * 7919),"node_id":"MDQ6VXNlcjEx\(number)",\
            "avatar_url":"https://avatars.example.com/u/\(number)?v=4","site_admin":false,\
            "name":\(number % 3 == 0 ? "null" : "\"Name \(number)\""),"company":null,\
            "bio":"A sentence about user \(number), with the length that people write.","public_repos":\(number % 100),\
            "followers":\(number % 1000),"created_at":\(700_000_000 + number),"score":\(Double(number) / 7),\
            "plan":{"name":"free","space":976562499},"tags":["swift","linux","http"]}
            """
        }
    }

    static func list(_ count: Int = 10_000, of element: (Int) -> String) -> Data {
        Data("[\((0..<count).map(element).joined(separator: ","))]".utf8)
    }

    static func escaped(_ number: Int) -> String { #""line \#(number)\n\t\"quoted\" \u00e9 \ud83d\ude00""# }

    static let dictionary = Data("{\((0..<10_000).map { "\"member\($0)\":\($0)" }.joined(separator: ","))}".utf8)

    /// A page that a proxy sends in place of JSON.
    static let page = Data("<!DOCTYPE html><html><body>\(String(repeating: "<p>Sign in</p>", count: 730))</body>".utf8)

    /// Users up to the middle of their last string.
    static let cut = users(25).dropLast(5)
}
