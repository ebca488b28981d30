/// The container of the current value, which is the decoder itself, as for `JSONDecoder`.
extension JSONTapeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { tape.words[current].kind == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        do { return try bool(current) } catch { throw self.error(error, type, current, path) }
    }

    func decode(_ type: String.Type) throws -> String {
        do { return try string(current) } catch { throw self.error(error, type, current, path) }
    }

    func decode(_ type: Double.Type) throws -> Double {
        do { return try double(current) } catch { throw self.error(error, type, current, path) }
    }

    func decode(_ type: Float.Type) throws -> Float {
        do { return try float(current) } catch { throw self.error(error, type, current, path) }
    }

    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let path = path
        return try decode(type, current) { path }
    }

    private func integer<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
        do { return try integer(current, as: type) } catch { throw self.error(error, type, current, path) }
    }
}
