import Foundation
import Synchronization
import Testing

import StartSmall
import StartSmallSupport

/// Numbers that do not fit their types: Foundation's decoder reports them without a path.
struct UnfitNumberTests {
    @Test(
        "an error of a number has the path of that number, and the number",
        arguments: [
            (#"{"list":[1,-5]}"#, "list[1] is not a value of type UInt: The number -5 does not fit."),
            (#"{"list":[1,1e30]}"#, "list[1] is not a value of type UInt: The number 1e30 does not fit."),
            (#"{"optional":300}"#, "optional is not a value of type Int8: The number 300 does not fit."),
            (#"{"kind":1.5}"#, "kind is not a value of type Int: The number 1.5 does not fit."),
            (#"{"date":1e700}"#, "date is not a value of type Date: The number 1e700 does not fit."),
            (#"{"decimals":[1,1e5000]}"#, "decimals[1] is not a value of type Decimal"),
            (#"{"float":1e39}"#, "float is not a value of type Float: The number 1e39 does not fit."),
            (#"{"names":{"a_b":-1}}"#, "names.a_b is not a value of type UInt: The number -1 does not fit."),
            (#"{"names":{"a_b":1,"token":-7}}"#, "names.token is not a value of type UInt: <redacted>"),
            (#"{"numbers":{"7":-1}}"#, "numbers[7] is not a value of type UInt: The number -1 does not fit."),
            (#"{"inner":{"list":[[1],[2,-3]]}}"#, "inner.list[1][1] is not a value of type UInt"),
            (#"{"child":{"super":{"base":1},"own":-1}}"#, "child.own is not a value of type UInt"),
            (#"{"child":{"super":{"base":-1},"own":1}}"#, "child.super.base is not a value of type UInt"),
            (#"{"lists":[null,{"b":1},[2],[-1]]}"#, "lists[3][0] is not a value of type UInt"),
            (#"{"lists":[null,{"b":-1},[2],[3]]}"#, "lists[1].b is not a value of type UInt"),
            (#"{"lists":[null,{"b":1},[2,null],[-3]]}"#, "lists[3][0] is not a value of type UInt"),
            (#"{"byHand":{"a":{"b":[0,256]}}}"#, "byHand.a.b[1] is not a value of type UInt8"),
            (#"{"tolerant":[1.5],"list":[-6]}"#, "list[0] is not a value of type UInt: The number -6 does not fit."),
            (#"{"pin":-7}"#, "pin is not a value of type UInt: <redacted>"),
        ]
    )
    func path(_ json: String, _ expected: String) {
        let error = failure(Document.self, json)
        let text = error.map { DecodingError.text(of: $0, in: Data(json.utf8)) }
        #expect(text?.hasPrefix(expected) == true, "\(text ?? "no error")")
    }

    @Test("an error that is not one of a number is unchanged, though the value is decoded once more")
    func otherErrors() throws {
        #expect(failure(Document.self, "[") is DecodingError)
        let nested = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let deep = try #require(failure(Tree.self, nested) as? DecodingError)
        #expect(place(deep).isEmpty)
        #expect(failure(Throwing.self, "1") is Throwing.Own)
    }

    @Test("a number that is nested deeper than 64 values is an error without its path")
    func deepNumber() throws {
        func json(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + "-1" + String(repeating: "]", count: depth)
        }
        let located = try #require(failure(Tree.self, json(60)) as? DecodingError)
        #expect(place(located).count == 60)
        let deep = try #require(failure(Tree.self, json(500)) as? DecodingError)
        #expect(place(deep).isEmpty && !"\(deep)".contains("-1"))
    }

    @Test("the second decoding reads the values of the text in the same order, and no other ones")
    func secondDecoding() throws {
        let read = Mutex<[Int]>([])
        struct Reading: Decodable {
            init(from decoder: any Decoder) throws {
                let read = Self.key.flatMap { decoder.userInfo[$0] as? @Sendable (Int) -> Void }
                var list = try decoder.unkeyedContainer()
                while !list.isAtEnd { read?(try list.decode(Int.self)) }
            }

            static let key = CodingUserInfoKey(rawValue: "read")
        }
        let decoder = JSONDecoder()
        let note: @Sendable (Int) -> Void = { number in read.withLock { $0.append(number) } }
        decoder.userInfo[try #require(Reading.key)] = note
        #expect(throws: DecodingError.self) { try decoder.value(Reading.self, from: Data("[3,4,5.5,6]".utf8)) }
        #expect(read.withLock(\.self) == [3, 4, 3, 4])
    }

    private func place(_ error: DecodingError) -> [any CodingKey] {
        switch error {
        case .typeMismatch(_, let context), .dataCorrupted(let context): context.codingPath
        default: []
        }
    }

    private func failure<T: Decodable>(_ type: T.Type, _ json: String) -> (any Error)? {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            _ = try decoder.value(type, from: Data(json.utf8))
            return nil
        } catch {
            return error
        }
    }
}

private struct Document: Decodable {
    let list: [UInt]?
    let optional: Int8?
    let kind: Kind?
    let date: Date?
    let decimals: [Decimal]?
    let float: Float?
    let names: Names?
    let numbers: [Int: UInt]?
    let inner: Inner?
    let child: Child?
    let byHand: ByHand?
    let lists: Lists?
    let tolerant: Tolerant?
    let pin: UInt?

    private enum CodingKeys: String, CodingKey {
        case tolerant, list, optional, kind, date, decimals, float, names, numbers, inner, child, byHand, lists, pin
    }
}

private enum Kind: Int, Decodable {
    case known
}

private struct Inner: Decodable {
    let list: [[UInt]]
}

/// A dictionary whose names must be those of the text, as a decoder leaves them.
private struct Names: Decodable {
    init(from decoder: any Decoder) throws {
        let names = try decoder.singleValueContainer().decode([String: UInt].self)
        precondition(names["a_b"] != nil)
    }
}

private class Base: Decodable {
    let base: UInt
}

private final class Child: Base {
    let own: UInt

    private enum CodingKeys: CodingKey { case own }

    required init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        own = try members.decode(UInt.self, forKey: .own)
        try super.init(from: members.superDecoder())
    }
}

private struct ByHand: Decodable {
    private enum CodingKeys: CodingKey { case a, b }

    init(from decoder: any Decoder) throws {
        let a = try decoder.container(keyedBy: CodingKeys.self).nestedContainer(keyedBy: CodingKeys.self, forKey: .a)
        var b = try a.nestedUnkeyedContainer(forKey: .b)
        while !b.isAtEnd { _ = try b.decode(UInt8.self) }
    }
}

/// A list of null, an object, a list, and a value with a decoder of its own.
private struct Lists: Decodable {
    private enum CodingKeys: CodingKey { case b }

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        let isNull = try list.decodeNil()
        precondition(isNull && list.count == 4 && list.codingPath.count == 1)
        _ = try list.nestedContainer(keyedBy: CodingKeys.self).decode(UInt.self, forKey: .b)
        var inner = try list.nestedUnkeyedContainer()
        _ = try inner.decode(UInt.self)
        _ = try [UInt](from: list.superDecoder())
    }
}

/// A list whose errors its own type ignores.
private struct Tolerant: Decodable {
    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        _ = try? list.decode(Int.self)
    }
}

private struct Tree: Decodable {
    init(from decoder: any Decoder) throws {
        guard var list = try? decoder.unkeyedContainer() else {
            _ = try decoder.singleValueContainer().decode(UInt.self)
            return
        }
        while !list.isAtEnd { _ = try list.decode(Tree.self) }
    }
}

private struct Throwing: Decodable {
    struct Own: Error {}

    init(from decoder: any Decoder) throws { throw Own() }
}
