import Foundation
import StartSmall

extension ConnectorLaw {
    /// Laws on payloads with files: the payload arrives byte by byte.
    static let ofUploads = [
        ConnectorLaw(.fileUpload, "a file arrives byte by byte, with its length and its type") { trial in
            try await objections(to: trial) { file in Payload(.file(file), mediaType: "image/png") }
        },
        ConnectorLaw(.formUpload, "a form with files arrives byte by byte, with its length and its type") { trial in
            try await objections(to: trial) { file in
                let form: MultipartForm = [
                    .text("a", "é"), .file("b", file), .data("c", Data([0, 1])), .file("d", file),
                ]
                return Payload(.multipart(form), mediaType: form.mediaType)
            }
        },
    ]

    /// The file sizes in bytes: an empty file, and sizes around the limit of a single read.
    private static let sizes = [0, 1, 65_536, 65_537, 1_000_000]

    private static func objections(to trial: ConnectorTrial, _ payload: (URL) -> Payload) async throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appending(path: "ConnectorLaw-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        var objections: [String?] = []
        for size in sizes {
            try Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }).write(to: file)
            let payload = payload(file)
            let arrived = try await trial.request("/", .put(payload: payload)).arrived
            let bytes = try payload.content.bytes()
            objections.append(rejectionReason("requests", arrived.count, 1))
            for input in arrived {
                let arrived = input.methodAndPayload.body ?? Data()
                // A comparison of two texts of a megabyte each would be useless.
                if arrived != bytes {
                    objections.append("of \(bytes.count) bytes, \(arrived.count) arrived, or different ones")
                }
                objections.append(
                    rejectionReason("Content-Type", input.headers["Content-Type"], payload.mediaType?.rawValue)
                )
                objections.append(rejectionReason("Content-Length", input.headers["Content-Length"], "\(bytes.count)"))
            }
        }
        return objections.compactMap(\.self)
    }
}
