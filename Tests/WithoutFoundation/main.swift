// An app that links no more of Foundation than FoundationEssentials, as `Testing` makes no test target do: what a program
// links changes what `URL` and `String` do, without any import. `run.sh` checks its libraries, and runs it.
import StartSmall

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

var failures = 0

@MainActor func check(_ isTrue: Bool, _ fact: String) {
    if isTrue { return }
    failures += 1
    print("wrong: \(fact)")
}

// Charsets: Foundation's own, those of the C library, and invalid bytes.
for (charset, bytes, text) in [
    ("utf-8", [0xC3, 0xA9], "é"), ("utf-16be", [0, 0x41], "A"), ("iso-8859-1", [0xE9], "é"), ("macintosh", [0x8E], "é"),
    ("shift_jis", [0x93, 0xFA], "日"), ("euc-jp", [0xC6, 0xFC], "日"), ("koi8-r", [0xC1], "а"),
    ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], "日"), ("windows-1252", [0x80], "€"),
    ("euc-jp", [0xC6], nil), ("utf-8", [0xFF], nil),
] as [(String, [UInt8], String?)] {
    let type: HTTPHeaders = ["Content-Type": "text/plain; charset=\(charset)"]
    let read = Response(statusCode: .ok, headers: type, payload: Data(bytes)).text().right
    check(read == text, "\(charset) \(bytes) is \(read ?? "nil")")
}

// Hosts: the same ones are called and refused as with full Foundation.
for (host, isCalled) in [
    ("bücher.example", false), ("１２７.0.0.1", false), ("b%C3%BCcher.example", false), ("a%20b", false), ("a b", false),
    ("%3127.0.0.1", false), ("[::%31]", false), ("xn--bcher-kva.example", true), ("[::1]", true),
    ("[fe80::1%25eth0]", true), ("127.0.0.1", true),
] {
    let built = Either<ConnectionError, Input>.get("http://\(host)/" as String).flatMap(ValidatedRequest.from)
    check((built.right != nil) == isCalled, "\(host) is \(built)")
    let target = URL(string: "http://\(host)/").flatMap { ValidatedRequest.from(Input(url: $0)).right }
    check(target == nil || isCalled, "URL of \(host) is \(target?.url.absoluteString ?? "")")
}

// Errors: the system's words, without Foundation's.
let missing = Either<ConnectionError, Input>.put("http://127.0.0.1/", payload: .file(URL(filePath: "/none")))
let error = missing.flatMap(ValidatedRequest.from).left
check("\(error.map { "\($0)" } ?? "")".contains("No such file"), "an error is \(error.map { "\($0)" } ?? "nil")")

// Calls: JSON from a server on this machine, and a port that nobody listens to.
#if canImport(Glibc)
    struct User: Decodable, Hashable { let name: String }

    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            _ = (bind(listener, pointer, length), listen(listener, 1), getsockname(listener, pointer, &length))
        }
    }
    let url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"
    let server = Task.detached { [listener] in
        let connection = accept(listener, nil, nil)
        var received = [UInt8](repeating: 0, count: 4096)
        _ = read(connection, &received, received.count)
        let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{\"name\":\"日\"}"
        _ = answer.withCString { write(connection, $0, answer.utf8.count) }
        close(connection)
        close(listener)
    }
    let user = await Endpoint.json(User.self, .get(url)).fetch()
    check(user == .right(User(name: "日")), "the call is \(user)")
    await server.value
    let refused = "\(await Endpoint.json(User.self, .get(url)).fetch())"
    check(refused.contains("Failed to connect"), "a call to nobody is \(refused)")
#endif

print(failures == 0 ? "an app without full Foundation does the same" : "\(failures) facts are wrong")
exit(failures == 0 ? 0 : 1)
