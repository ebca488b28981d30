import StartSmall
import TestSupport
import Testing

struct RequestOptionsTests {
    private enum Tenant: RequestOption { typealias Value = String }

    private enum Weight: RequestOption {
        typealias Value = Double
        static let name = "weight\n"
        static let changesResponse = false
    }

    @Test("an option is read as it was set, replaced by a new value, and removed by nil")
    func values() {
        var options = RequestOptions()
        #expect(options[Tenant.self] == nil && options == RequestOptions())
        options[Tenant.self] = "a"
        options[Weight.self] = 1
        options[Tenant.self] = "b"
        #expect(options[Tenant.self] == "b" && options[Weight.self] == 1)
        options[Tenant.self] = nil
        options[Weight.self] = nil
        #expect(options[Tenant.self] == nil && options == RequestOptions())
    }

    @Test("requests with equal options are equal, in whatever order these were set, and others are not")
    func equality() {
        let (one, other) = (
            Fixture.input.with { ($0.options[Tenant.self], $0.options[Weight.self]) = ("a", 1) },
            Fixture.input.with { ($0.options[Weight.self], $0.options[Tenant.self]) = (1, "a") }
        )
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(one != Fixture.input && one != one.with { $0.options[Tenant.self] = "b" })
        #expect(one != one.with { $0.options[Weight.self] = nil })
        let unequal = Fixture.input.with { $0.options[Weight.self] = .nan }
        #expect(unequal.options != unequal.options)
    }

    @Test("an option may change the response unless it says that it does not")
    func change() {
        var options = RequestOptions()
        #expect(!options.mayChangeResponse)
        options[Weight.self] = 1
        #expect(!options.mayChangeResponse)
        options[Tenant.self] = "a"
        #expect(options.mayChangeResponse)
    }

    @Test("a description has the names of options on its line, and no value")
    func description() {
        let input = Fixture.input.with { ($0.options[Weight.self], $0.options[Tenant.self]) = (98.5, "hunter2") }
        #expect(input.description == "GET https://api.example.com/things, options: Tenant, weight\\n")
        for shown: Any in [input, input.options] {
            var dumped = ""
            dump(shown, to: &dumped)
            #expect(dumped.contains("Tenant") && !dumped.contains("hunter2") && !dumped.contains("98.5"))
        }
    }

    @Test("options need one word in a request, and no other memory while none is set")
    func size() {
        #expect(MemoryLayout<RequestOptions>.size == MemoryLayout<Int>.size)
    }
}
