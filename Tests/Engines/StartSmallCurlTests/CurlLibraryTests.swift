#if os(Linux)
    import CCurl
    import Foundation
    import TestSupport
    import Testing

    import StartSmall
    @testable import StartSmallCurl

    @Suite("finding libcurl") struct CurlLibraryTests {
        private func whyNot(_ library: String) -> String? {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { text in
                ccurl_load_error(library, text.baseAddress!, text.count).map { String(cString: $0) }
            }
        }

        @Test("the installed library is usable") func theLibraryThat() {
            #expect(Connector.curlUnavailable == nil)
            #expect(whyNot("libcurl.so.4") == nil)
            #expect(ccurl_version() >= 0x075100)
        }

        @Test(
            "the library is the one that the test run names",
            .enabled(if: ProcessInfo.processInfo.environment["STARTSMALL_LIBCURL"] != nil, "make newest-curl names it")
        )
        func theOneThat() {
            let version = ccurl_version()
            let text = "libcurl/\(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)"
            #expect(ProcessInfo.processInfo.environment["STARTSMALL_LIBCURL"] == text)
        }

        @Test("the error of a missing library has its name") func aLibraryThat() throws {
            #expect(try #require(whyNot("libno-such-thing.so.4")).contains("libno-such-thing.so.4"))
        }

        @Test("without libcurl, each call fails, and its error names the package to install")
        func noLibrary() async {
            let connector = Connector.connector(ConnectionOptions(), curlUnavailable: "no libcurl.so.4")
            let output = await WebAPI.call(with: Fixture.input, via: connector)
            let text = "no libcurl.so.4; install libcurl 7.81 or later (Debian: libcurl4)"
            #expect(output == .noResponse(.engineUnavailable(debugInfo: text)))
        }

        @Test("the error of a missing function has the names of the library and the function")
        func aLibraryWithout() throws {
            let text = try #require(whyNot("libc.so.6"))
            #expect(text == "libc.so.6 has no curl_global_init; libcurl 7.81 or later is needed")
        }
    }
#endif
