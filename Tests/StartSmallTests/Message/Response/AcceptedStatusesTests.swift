import StartSmall
import Testing

struct AcceptedStatusesTests {
    @Test("success is every 2xx and nothing else")
    func success() {
        for code in 0...999 {
            #expect(AcceptedStatuses.success.contains(.from(code: code)) == (200...299).contains(code))
        }
    }

    @Test("all is everything")
    func all() {
        for code in 0...999 { #expect(AcceptedStatuses.all.contains(.from(code: code))) }
    }

    @Test("only is what it is given")
    func only() {
        let statuses = AcceptedStatuses.only(.notFound, .unsupported(code: 200))
        for code in 0...999 { #expect(statuses.contains(.from(code: code)) == [200, 404].contains(code)) }
    }

    @Test("a set of one's own answers as its function does")
    func own() {
        #expect(AcceptedStatuses { $0.code == 42 }.contains(.from(code: 42)))
    }
}
