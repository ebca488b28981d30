import Foundation
import StartSmall
import TestSupport
import Testing

private typealias Number = Either<String, Int>

private struct Refusal: Error, Hashable {
    let reason: String
}

struct EitherTests {
    private static let both: [Number] = [.left("no"), .right(3)]

    @Test("an either is printed as its case and its value, without modules and generic parameters")
    func descriptions() {
        #expect("\(Number.left("no")) \(Number.right(3))" == "left(\"no\") right(3)")
        let nested: Either<Either<String, Refusal>, [Number]> = .left(.right(Refusal(reason: "late")))
        #expect("\(nested)" == "left(right(Refusal(reason: \"late\")))")
        #expect("\([Number.right(3)])" == "[right(3)]")
        #expect(String(reflecting: Number.left("no")) == "left(\"no\")")
    }

    @Test("a connection error in an either describes itself, without its credentials")
    func describedError() {
        let error = ConnectionError.malformedURL(debugInfo: "https://me:hunter2@example.com/")
        #expect("\(Either<ConnectionError, Int>.left(error))" == "left(\(error))")
        #expect(!"\([Either<ConnectionError, Int>.left(error)])".contains("hunter2"))
    }

    @Test("mapping twice equals mapping once by the composed function", .parity("A6"), arguments: both)
    private func functorComposition(_ either: Number) {
        #expect(either.map { $0 + 1 }.map { "\($0)" } == either.map { "\($0 + 1)" })
        #expect(either.mapLeft { $0 + "!" }.mapLeft(\.count) == either.mapLeft { ($0 + "!").count })
    }

    @Test(
        "flatMap is associative",
        .parity("A6"),
        arguments: [.left("no"), .right(8), .right(6), .right(5)] as [Number]
    )
    private func monadAssociativity(_ either: Number) {
        func half(_ number: Int) -> Number { number.isMultiple(of: 2) ? .right(number / 2) : .left("odd \(number)") }
        #expect(either.flatMap(half).flatMap(half) == either.flatMap { half($0).flatMap(half) })
    }

    @Test("the result of a call is handled side by side, or folded into one value", .parity("D9"))
    func sides() {
        var handled: [String] = []
        for fetched in [Number.left("no"), .right(3)] {
            fetched.onRight { handled.append("data \($0)") }.onLeft { handled.append("error \($0)") }
            handled.append(fetched.fold({ _ in "failed" }, { _ in "done" }))
        }
        #expect(handled == ["error no", "failed", "data 3", "done"])
    }

    @Test("onLeft and onRight run only for their side, and return the same value", .parity("A6"), arguments: both)
    private func actions(_ either: Number) {
        var lefts: [String] = []
        var rights: [Int] = []
        #expect(either.onLeft { lefts.append($0) }.onRight { rights.append($0) } == either)
        #expect(lefts == (either.left.map { [$0] } ?? []))
        #expect(rights == (either.right.map { [$0] } ?? []))
    }

    @Test("a Result converts to an either and back unchanged", .parity("A6"))
    func results() {
        for result in [Result<Int, Refusal>.success(1), .failure(Refusal(reason: "no"))] {
            #expect(Either(result).result == result)
        }
        #expect(Either(Result<Int, Refusal>.failure(Refusal(reason: "no"))) == .left(Refusal(reason: "no")))
    }

    @Test("catching keeps the type of the thrown error", .parity("A6"))
    func catching() {
        func check(_ number: Int) throws(Refusal) -> Int {
            if number < 0 { throw Refusal(reason: "negative") }
            return number
        }
        #expect(Either { () throws(Refusal) in try check(1) } == .right(1))
        #expect(Either { () throws(Refusal) in try check(-1) } == .left(Refusal(reason: "negative")))
    }

    @Test("get throws a left value with its own type", .parity("A6"))
    func getting() {
        do throws(Refusal) {
            #expect(try Either<Refusal, Int>.right(1).get() == 1)
            _ = try Either<Refusal, Int>.left(Refusal(reason: "no")).get()
            Issue.record("a left value was not thrown")
        } catch {
            #expect(error.reason == "no")
        }
    }
}
