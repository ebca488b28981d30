import StartSmall
import Testing

struct ProductTests {
    @Test(
        "products are written as RFC 9110 10.1.5 has them",
        arguments: [
            ([Product("Acme")], "Acme"), ([Product("Acme", version: "1.2")], "Acme/1.2"),
            ([Product("Acme", version: "1.2", comment: "Linux; x86")], "Acme/1.2 (Linux; x86)"),
            ([Product("Acme", version: "1"), Product("StartSmall")], "Acme/1 StartSmall"),
            ([Product("Acme", comment: #"a (b) \"#)], #"Acme (a \(b\) \\)"#),
            ([Product("Acme", comment: "Zürich")], "Acme (Zürich)"),
        ]
    )
    func written(_ products: [Product], _ expected: String) {
        #expect(Product.userAgent(products) == .right(expected))
    }

    @Test(
        "what can't be written is an error",
        arguments: [
            [], [Product("")], [Product("a b")], [Product("a/b")], [Product("a", version: "")],
            [Product("a", version: "1 (2)")], [Product("a", comment: "b\r\nc")], [Product("a"), Product("ü")],
        ]
    )
    func refused(_ products: [Product]) {
        #expect(Product.userAgent(products).left?.name == "malformedHeader")
    }

    @Test(
        "an app is known by its bundle, or else by its process, and what can't stand in a token is replaced",
        arguments: [
            ("Acme", "1.2", "acme", Product("Acme", version: "1.2")),
            ("My App", "1 (2)", "app", Product("My-App", version: "1--2-")),
            (nil, nil, "startsmall", Product("startsmall")), ("", "", "", Product("StartSmall")),
        ] as [(String?, String?, String, Product)]
    )
    func thisApp(_ name: String?, _ version: String?, _ process: String, _ expected: Product) {
        let product = Product.thisApp(name: name, version: version, process: process)
        #expect(product == expected)
        #expect(Product.userAgent([product]).right != nil)
    }
}
