import StartSmall
import Testing

struct UserAgentProductTests {
    @Test(
        "products are written as RFC 9110 10.1.5 defines",
        arguments: [
            ([UserAgentProduct("Acme")], "Acme"), ([UserAgentProduct("Acme", version: "1.2")], "Acme/1.2"),
            ([UserAgentProduct("Acme", version: "1.2", comment: "Linux; x86")], "Acme/1.2 (Linux; x86)"),
            ([UserAgentProduct("Acme", version: "1"), UserAgentProduct("StartSmall")], "Acme/1 StartSmall"),
            ([UserAgentProduct("Acme", comment: #"a (b) \"#)], #"Acme (a \(b\) \\)"#),
            ([UserAgentProduct("Acme", comment: "Zürich")], "Acme (Zürich)"),
        ]
    )
    func written(_ products: [UserAgentProduct], _ expected: String) {
        #expect(UserAgentProduct.userAgent(products) == .right(expected))
    }

    @Test(
        "products that can't be written are an error",
        arguments: [
            [], [UserAgentProduct("")], [UserAgentProduct("a b")], [UserAgentProduct("a/b")],
            [UserAgentProduct("a", version: "")], [UserAgentProduct("a", version: "1 (2)")],
            [UserAgentProduct("a", comment: "b\r\nc")], [UserAgentProduct("a"), UserAgentProduct("ü")],
        ]
    )
    func refused(_ products: [UserAgentProduct]) {
        #expect(UserAgentProduct.userAgent(products).left?.name == "malformedHeader")
    }

    @Test(
        "an app is named by its bundle, or else by its process, with characters replaced that no token may have",
        arguments: [
            ("Acme", "1.2", "acme", UserAgentProduct("Acme", version: "1.2")),
            ("My App", "1 (2)", "app", UserAgentProduct("My-App", version: "1--2-")),
            (nil, nil, "startsmall", UserAgentProduct("startsmall")), ("", "", "", UserAgentProduct("StartSmall")),
        ] as [(String?, String?, String, UserAgentProduct)]
    )
    func thisApp(_ name: String?, _ version: String?, _ process: String, _ expected: UserAgentProduct) {
        let product = UserAgentProduct.thisApp(name: name, version: version, process: process)
        #expect(product == expected)
        #expect(UserAgentProduct.userAgent([product]).right != nil)
    }
}
