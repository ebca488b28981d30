import StartSmallCore
public import StartSmallDiagnostics
import StartSmallJSON
import StartSmallSupport
public import Foundation

/// Recorded calls in a text file, which a test can replay without a network.
///
/// ```swift
/// let recording = Connector.standard.wrapped(by: .record(to: file))
/// let replaying = Connector.replay(from: file)
/// ```
///
/// The file is JSON with sorted keys, and one item per line: header fields as `Name: value`, text payloads as their
/// lines, and other payloads as Base64. JSON on one long line is split after its commas. The file is designed for
/// reviews, and for editing by hand.
public struct Cassette: Hashable, Sendable {
    /// The recorded exchanges, in order.
    public var exchanges: [Exchange]

    /// The parts of a HAR that are not in the exchanges, such as `entry 3: there was no response`; none of a cassette.
    public private(set) var remarks: [String] = []

    /// Whether the file is a HAR, which no recorder replaces by a cassette.
    private(set) var isHAR = false

    /// Creates a cassette.
    public init(_ exchanges: [Exchange] = []) {
        self.exchanges = exchanges
    }

    /// Returns whether the exchanges are equal, whatever file they are from.
    public static func == (first: Cassette, second: Cassette) -> Bool { first.exchanges == second.exchanges }

    /// Adds the exchanges to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(exchanges) }
}

/// The reason why a ``Cassette`` can't be read or written.
public struct CassetteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error and its position.
    public var description: String

    /// Creates an error.
    public init(_ description: String) {
        self.description = description
    }
}

extension Cassette {
    /// The version of the file format; any other version is refused.
    public static let version = 2

    /// The default limit of written payloads: 10 MiB.
    ///
    /// GitHub warns of files over 50 MiB and refuses files over 100 MiB (docs.github.com, *About large files on
    /// GitHub*). Three such payloads in Base64 are still accepted without a warning.
    public static let defaultPayloadLimit = 10 * 1024 * 1024

    /// The maximum size in bytes of a file that is read: 1 GiB, ten times the largest file that GitHub accepts.
    static let largestFile = 1 << 30

    /// Creates a cassette from the text of a file: a cassette, or an HTTP Archive (HAR 1.2) of a browser or proxy.
    ///
    /// In a HAR, payloads of responses are decoded, so that the fields that describe a coding are dropped. Its parts that
    /// are no exchange are in ``remarks``: entries without a response, names that no header field can have, and so on.
    ///
    /// - Parameters:
    ///   - data: the text of the file.
    ///   - scrubbing: the redaction of the exchanges of a HAR; those of a cassette were redacted when they were recorded.
    /// - Throws: ``CassetteError`` with the position of an error in the file, and for a HAR of more than 100,000 entries.
    public init(reading data: Data, scrubbing: CassetteRedaction = .standard) throws(CassetteError) {
        do {
            let decoder = JSONDecoder.fast
            decoder.dateDecodingStrategy = .iso8601
            // Some programs write a byte order mark, which is no JSON (RFC 8259 8.1).
            let text = data.starts(with: "\u{FEFF}".utf8) ? Data(data.dropFirst(3)) : data
            switch try decoder.decode(RecordedFile.self, from: text) {
            case .cassette(let file): self.init(try file.exchanges.map { try $0.exchange })
            case .har(var har):
                self.init(har.exchanges(hiding: scrubbing))
                (remarks, isHAR) = (har.remarks, true)
            }
        } catch let error as CassetteError {
            throw error
        } catch {
            throw CassetteError(DecodingError.text(of: error, in: data, calling: "the file"))
        }
    }

    /// Creates a cassette from a file, as ``init(reading:scrubbing:)`` does from its text.
    ///
    /// - Parameters:
    ///   - file: the URL of the cassette or HAR.
    ///   - scrubbing: the redaction of the exchanges of a HAR.
    /// - Throws: ``CassetteError`` with the name of the file.
    public init(at file: URL, scrubbing: CassetteRedaction = .standard) throws(CassetteError) {
        do {
            let place = try CassettePlace(file)
            guard place.size <= Self.largestFile else {
                throw CassetteError("\(place.size) bytes, more than the \(Self.largestFile) bytes that are read")
            }
            try self.init(reading: Data(contentsOf: place.file), scrubbing: scrubbing)
        } catch {
            throw CassetteError("\(file.lastPathComponent): \(SystemErrorText.text(of: error))")
        }
    }

    /// Returns the text of the file: the same bytes for the same exchanges.
    public func data() -> Data { Self.data(of: exchanges.map(\.fileText)) }

    static func data(of texts: [Data]) -> Data {
        var data = Data("{\n  \"exchanges\" : [\n".utf8)
        for (index, text) in texts.enumerated() { data += index == 0 ? text : Data(",\n".utf8) + text }
        return data + Data("\n  ],\n  \"version\" : \(version)\n}\n".utf8)
    }

    /// Writes a file atomically; creates its folder if there is none.
    ///
    /// - Throws: the errors of Foundation, and ``CassetteError`` if the path is no regular file, such as a device.
    public func write(to file: URL) throws { try Self.write(data(), to: file) }

    static func write(_ data: Data, to file: URL) throws {
        let place = try CassettePlace(file)
        try FileManager.default.createDirectory(at: place.folder, withIntermediateDirectories: true)
        try data.write(to: place.file, options: .atomic)
    }
}

/// A file of either format.
private enum RecordedFile: Decodable {
    case cassette(CassetteFile)
    case har(HARReader)

    private enum CodingKeys: CodingKey { case log }

    init(from decoder: any Decoder) throws {
        let isHAR = try decoder.container(keyedBy: CodingKeys.self).contains(.log)
        self = isHAR ? .har(try HARReader(from: decoder)) : .cassette(try CassetteFile(from: decoder))
    }
}

extension Exchange {
    var fileText: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        // No value of a file is one that JSON lacks, so that this never fails.
        let lines = (try? encoder.encode(CassetteFile.Entry(self)))?.split(separator: UInt8(ascii: "\n")) ?? []
        return Data(lines.map { Data("    ".utf8) + $0 }.joined(separator: "\n".utf8))
    }
}

/// The place of a cassette's file, behind all links to the file.
struct CassettePlace {
    let file: URL
    let size: Int

    /// The number, size and time of the file, which change when the file is written; nil if there is none.
    let stamp: [Double]?

    var folder: URL { file.deletingLastPathComponent() }

    /// Whether the file begins as a HAR does, behind a byte order mark and space.
    var isHAR: Bool {
        let start = try? FileHandle(forReadingFrom: file).read(upToCount: Self.beginning)
        return start?.filter { $0 > UInt8(ascii: " ") && $0 < 0x80 }.starts(with: #"{"log""#.utf8) == true
    }

    /// Finds the file of a path.
    ///
    /// - Throws: ``CassetteError`` for anything but a regular file, such as a device, which a recording would replace.
    init(_ path: URL) throws(CassetteError) {
        var file = path.absoluteURL
        let files = FileManager.default
        for _ in 0..<Self.mostLinks {
            let text = file.path(percentEncoded: false)
            guard let target = try? files.destinationOfSymbolicLink(atPath: text) else { break }
            file = URL(filePath: target, relativeTo: file.deletingLastPathComponent()).absoluteURL
        }
        self.file = file
        let attributes = try? files.attributesOfItem(atPath: file.path(percentEncoded: false))
        if let type = attributes?[.type] as? FileAttributeType, type != .typeRegular {
            throw CassetteError("the path is not a regular file")
        }
        let size = (attributes?[.size] as? NSNumber)?.intValue ?? 0
        let number = (attributes?[.systemFileNumber] as? NSNumber)?.doubleValue ?? 0
        let time = (attributes?[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
        stamp = attributes == nil ? nil : [number, Double(size), time]
        self.size = size
    }

    /// The number of bytes in which the first name of a file is looked for: more than any indentation has.
    private static let beginning = 1024

    /// The maximum number of links to follow, as on Linux (`path_resolution(7)`).
    private static let mostLinks = 40
}
