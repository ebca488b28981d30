import Foundation
import StartSmall

extension ConnectorLaw {
    /// The most requests that one call may send: 3.
    ///
    /// A request may be sent again without `Expect`, after 417 (RFC 9110 10.1.1), or on another connection, after a
    /// used one was closed (RFC 9110 9.2.2): by an engine, and by the library on which the engine builds.
    private static let mostRequests = 3

    /// The law on requests that an engine sends again by itself.
    static let ofRepetitions = [
        ConnectorLaw(.repetitions, "a call sends its request at most three times, for any status and end") {
            trial in
            let payload = Payload(.data(Data("hi".utf8)), mediaType: nil)
            let counts = try await trial.requests(.post(payload: payload), answeredBy: 100...599) { status in
                let answer = "HTTP/1.1 \(status) No\r\n\(status < 200 ? "" : noPayload)Connection: close\r\n\r\n"
                // A client that has asked may send its payload or not, and its next request after that.
                let rest = status < 200 ? [ServerScriptStep.close] : [.receiveRequest]
                return Array(repeatElement([.receiveHead, .send(answer)] + rest, count: mostRequests + 1).joined())
            }
            var objections = counts.map { status, count in objection(count, 1, "after \(status)") }
            for method in [HTTPMethodAndPayload.get, .put(payload: payload), .post(payload: payload)] {
                for end in ends {
                    // The call is the second one on its first connection.
                    let (outputs, count) = try await trial.requests(of: [.get, method]) { number in
                        (number == 0 ? [.receiveRequest, .send("HTTP/1.1 200 OK\r\n\(noPayload)\r\n")] : []) + end
                    }
                    objections.append(rejectionReason("the first call", outputs.first?.response?.statusCode, .ok))
                    objections.append(objection(count, 2, "of \(method.method) before \(end)"))
                }
            }
            return objections.compactMap(\.self)
        }
    ]

    private static let noPayload = "Content-Length: 0\r\n"

    /// The ends of a connection: before a request, before its response, and in its head and payload.
    private static let ends: [[ServerScriptStep]] = {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
        return [
            [.close], [.reset], [.receiveRequest, .close], [.receiveRequest, .reset],
            [.receiveRequest, .send(head), .reset], [.receiveRequest, .send(head + "\r\nh"), .close],
            [.receiveRequest, .send(head + "\r\nh"), .reset],
        ]
    }()

    private static func objection(_ count: Int, _ calls: Int, _ place: String) -> String? {
        count < calls + mostRequests ? nil : "\(count) requests of \(calls) calls \(place)"
    }
}

extension ConnectorTrial {
    /// Returns the number of connections or, if these are more, of requests in one call for each status.
    ///
    /// - Parameters:
    ///   - methodAndPayload: the request, which asks whether to send its payload.
    ///   - statuses: the statuses.
    ///   - script: returns the steps of each connection during the call for a status; the last one ends it.
    fileprivate func requests(
        _ methodAndPayload: HTTPMethodAndPayload,
        answeredBy statuses: ClosedRange<Int>,
        _ script: @escaping @Sendable (Int) -> [ServerScriptStep]
    ) async throws -> [(status: Int, count: Int)] {
        let (current, connections) = (Locked(statuses.lowerBound), Recorder<Int>())
        let server = try await LoopbackServer.playing({ _ in
            let status = current.withLock { $0 }
            connections.append(status)
            return script(status)
        }) { server in
            for status in statuses {
                current.withLock { $0 = status }
                let url = server.url.appending(path: "\(status)")
                let input = Input(url: url, headers: ["Expect": "100-continue"], methodAndPayload: methodAndPayload)
                _ = await WebAPI.call(with: input, via: connector)
            }
            return server
        }
        // The server has stopped: it has recorded all requests.
        let targets = server.received.elements.map { $0.split(separator: UInt8(ascii: " "), maxSplits: 2).dropFirst() }
        return statuses.map { status in
            let requests = targets.count { $0.first?.elementsEqual("/\(status)".utf8) == true }
            return (status, max(requests, connections.elements.count { $0 == status }))
        }
    }

    /// Returns the outputs of calls, one after another, and the number of the requests that a server with this script
    /// has received, or of the connections if these were more.
    fileprivate func requests(
        of calls: [HTTPMethodAndPayload],
        _ script: @escaping @Sendable (Int) -> [ServerScriptStep]
    ) async throws -> (outputs: [Output], count: Int) {
        let connections = Recorder<Int>()
        let (outputs, server) = try await LoopbackServer.playing({ number in
            connections.append(number)
            return script(number)
        }) { server in
            var outputs: [Output] = []
            for methodAndPayload in calls {
                outputs.append(
                    await WebAPI.call(with: Input(url: server.url, methodAndPayload: methodAndPayload), via: connector)
                )
            }
            return (outputs, server)
        }
        return (outputs, max(connections.elements.count, server.received.elements.count))
    }
}
