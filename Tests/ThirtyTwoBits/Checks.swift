internal import StartSmallFoundation

/// Returns 0, or the number of the first check that fails.
@_cdecl("check")
public func check() -> Int32 {
    if MemoryLayout<Int>.size != 4 { return 1 }
    // Every day of the years 0 to 9999, in both directions, and dates beyond both ends.
    var seconds: Int64 = -62_167_219_200
    while seconds <= 253_402_300_799 {
        let date = Date(timeIntervalSince1970: Double(seconds))
        if CivilTime(date).date != date { return 2 }
        seconds += 86_400 + 1
    }
    for beyond in [-1e18, 1e18, -.infinity, .infinity] { _ = CivilTime(Date(timeIntervalSince1970: beyond)) }
    let late = HTTPDate.date("Fri, 31 Dec 9999 23:59:59 GMT")
    if late?.timeIntervalSince1970 != 253_402_300_799 { return 3 }
    guard let late, HTTPDate.text(late) == "Fri, 31 Dec 9999 23:59:59 GMT" else { return 4 }
    if HTTPDate.date("Tue, 19 Jan 2038 03:14:08 GMT")?.timeIntervalSince1970 != 2_147_483_648 { return 5 }
    if Duration.maximumWait.components.seconds != 3_153_600_000 { return 6 }
    for duration in [Duration.maximumWait, .seconds(Int64.max), .seconds(Int64.min), .seconds(3), .milliseconds(2_148)]
    {
        if duration.timerMilliseconds > 86_400_000 { return 7 }
    }
    // Numbers of more than 32 bits are nil, and do not trap.
    if ContentRange("bytes 0-4999999999/5000000000") != nil { return 8 }
    if ContentRange("bytes 0-2147483647/2147483648") != nil { return 9 }
    if ContentRange("bytes 0-9/10")?.end != 10 { return 10 }
    let count = TransferProgress.Count(bytes: 3_000_000_000, total: 6_000_000_000)
    if count.fraction != 0.5 || count.behind(.max).bytes != 5_147_483_647 { return 11 }
    return 0
}

/// The part of a response that the compiled files read.
public struct Response {
    public var headers: [String: String]
}
