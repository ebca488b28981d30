import StartSmall
import StartSmallTesting
import Foundation

extension Example {
    /// An example of endpoints in one line, for an API that is called only once or twice: without custom types.
    static let convenient = Example(
        name: "convenient",
        summary: "one line for each kind of payload",
        server: .stub(routes: [
            "GET /text": .text("text"),
            "GET /data": .text("data"),
            "GET /numbers": .json("[1, 2, 3]"),
            "GET /teapot": .text("short and stout", status: .unsupported(code: 418)),
            "POST /articles": .status(.noContent),
        ])
    ) { context in
        let app = context.app
        context.print("\(await Endpoint.text(.get("/text")).fetch(via: app).right ?? "none")")
        context.print("\(await Endpoint.data(.get("/data")).fetch(via: app).right?.count ?? 0) bytes")
        context.print("\(await Endpoint.json([Int].self, .get("/numbers")).fetch(via: app).right ?? [])")
        context.print("\(await Endpoint.response(.get("/teapot")).fetch(via: app).right?.statusCode.code ?? 0)")
        let sum = Endpoint.json([Int].self, .get("/numbers")).map { $0.reduce(0, +) }
        context.print("\(await sum.fetch(via: app).right ?? 0)")
        let posted = await Endpoint.empty(.post("/articles", payload: .json(["title": "Zen"]))).fetch(via: app)
        context.print(posted.right == nil ? "refused" : "posted")
    }
}
