import StartSmall
import StartSmallTesting

extension Example {
    /// An example that adds the common header fields of an app's requests once, around its connector.
    static let commonRequest = Example(
        name: "common-request",
        summary: "header fields that all requests of an app have",
        server: .stub { input in
            .text(["User-Agent", "Accept-Language"].map { input.headers[$0] ?? "none" }.joined(separator: ", "))
        }
    ) { context in
        let app = context.app.wrapped(
            by: .userAgent("Kitchen", version: "1.0"),
            .headers(["Accept-Language": "ja"])
        )
        let common = await Endpoint.text(.get("/")).fetch(via: app)
        let own = await Endpoint.text(.get("/", headers: ["Accept-Language": "en"])).fetch(via: app)
        context.print("server saw: \(common.right ?? "nothing")")
        context.print("server saw: \(own.right ?? "nothing")")
    }
}
