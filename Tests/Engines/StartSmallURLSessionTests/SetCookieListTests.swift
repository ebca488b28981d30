import TestSupport
import Testing

@testable import StartSmallURLSession

@Suite struct SetCookieListTests {
    @Test(
        "joined cookies are split where another cookie begins",
        arguments: [
            ("a=1", ["a=1"]),
            ("a=1, b=2", ["a=1", "b=2"]),
            ("a=1,b=2,c=3", ["a=1", "b=2", "c=3"]),
            ("a=1; Path=/, b=2; HttpOnly", ["a=1; Path=/", "b=2; HttpOnly"]),
            ("a=, b=", ["a=", "b="]),
            ("__Host-a=1; Secure, $b!=2", ["__Host-a=1; Secure", "$b!=2"]),
            ("a=1,\t b=2", ["a=1", "b=2"]),
            (
                "a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT; Path=/, b=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT, c=3",
                [
                    "a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT; Path=/",
                    "b=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "c=3",
                ]
            ),
        ]
    )
    func apart(joined: String, single: [String]) {
        #expect(SetCookieList.split(joined) == single)
    }

    @Test(
        "a comma that no cookie follows stays",
        arguments: [
            "a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT",
            "a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT; Path=/",
            "a=1; Expires=Wednesday, 21-Oct-15 07:28:00 GMT; Max-Age=1",
            "a=1,2,3",
            "a=\"x, y\"",
            "a=1,",
            "a=x, y z=1",
            "a=1, =2",
            "",
        ]
    )
    func together(single: String) {
        #expect(SetCookieList.split(single) == [single])
    }

    @Test("any number of commas is read in linear time", arguments: [",", "a,", "a=b, "])
    func manyCommas(_ piece: String) {
        Hostile.expectLinear(piece) { text in _ = SetCookieList.split(text) }
    }
}
