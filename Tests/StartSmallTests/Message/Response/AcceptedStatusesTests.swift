import StartSmall
import Testing

struct AcceptedStatusesTests {
    @Test("success is every 2xx and nothing else")
    func success() {
        for code in 0...999 {
            #expect(AcceptedStatuses.success.contains(.from(code: code)) == (200...299).contains(code))
        }
    }

    @Test("all contains every status")
    func all() {
        for code in 0...999 { #expect(AcceptedStatuses.all.contains(.from(code: code))) }
    }

    @Test("only contains the given statuses")
    func only() {
        let statuses = AcceptedStatuses.only(.notFound, .unsupported(code: 200))
        for code in 0...999 { #expect(statuses.contains(.from(code: code)) == [200, 404].contains(code)) }
    }

    @Test("a custom set contains what its function accepts")
    func own() {
        #expect(AcceptedStatuses { $0.code == 42 }.contains(.from(code: 42)))
    }
}
