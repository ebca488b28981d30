import StartSmall
import Testing

/// The examples of RFC 6570, table by table.
struct URITemplateExamplesTests {
    /// The values of RFC 6570 3.2, those of 2.4 included.
    private static let variables: [String: URITemplate.Value] = [
        "count": ["one", "two", "three"], "dom": ["example", "com"], "dub": "me/too", "hello": "Hello World!",
        "half": "50%", "var": "value", "who": "fred", "base": "http://example.com/home/", "path": "/foo/bar",
        "list": ["red", "green", "blue"], "keys": ["semi": ";", "dot": ".", "comma": ","], "v": "6", "x": "1024",
        "y": "768", "empty": "", "empty_keys": [:], "undef": nil, "semi": ";",
        "address": ["city": "Newport Beach", "state": "CA"], "year": ["1965", "2000", "2012"],
    ]

    /// Returns the lines of a table, with a template and its expansion in each.
    private static func table(_ lines: String) -> [(template: String, expected: String)] {
        lines.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }.map { ($0[0], $0[1]) }
    }

    private static let tables = [
        levels, variableExpansion, simple, reserved, fragment, label, path, parameter, query, continuation,
    ]

    @Test("the examples of RFC 6570 1.2, 2.4 and 3.2.1 to 3.2.9 expand as given", arguments: tables.flatMap(\.self))
    func examples(_ template: String, _ expected: String) throws {
        #expect(try URITemplate(template).expand(Self.variables) == expected)
    }
}

extension URITemplateExamplesTests {
    /// RFC 6570 1.2 and 2.4: the examples that the tables of 3.2 do not repeat.
    private static let levels = table(
        """
        X{#var} X#value
        X{#hello} X#Hello%20World!
        map?{x,y} map?1024,768
        X{.x,y} X.1024.768
        {var:20} value
        {semi} %3B
        {semi:2} %3B
        /mapper{?address*} /mapper?city=Newport%20Beach&state=CA
        find{?year*} find?year=1965&year=2000&year=2012
        """
    )

    /// RFC 6570 3.2.1: variable expansion.
    private static let variableExpansion = table(
        """
        {count} one,two,three
        {count*} one,two,three
        {/count} /one,two,three
        {/count*} /one/two/three
        {;count} ;count=one,two,three
        {;count*} ;count=one;count=two;count=three
        {?count} ?count=one,two,three
        {?count*} ?count=one&count=two&count=three
        {&count*} &count=one&count=two&count=three
        """
    )

    /// RFC 6570 3.2.2: simple string expansion.
    private static let simple = table(
        """
        {var} value
        {hello} Hello%20World%21
        {half} 50%25
        O{empty}X OX
        O{undef}X OX
        {x,y} 1024,768
        {x,hello,y} 1024,Hello%20World%21,768
        ?{x,empty} ?1024,
        ?{x,undef} ?1024
        ?{undef,y} ?768
        {var:3} val
        {var:30} value
        {list} red,green,blue
        {list*} red,green,blue
        {keys} semi,%3B,dot,.,comma,%2C
        {keys*} semi=%3B,dot=.,comma=%2C
        """
    )

    /// RFC 6570 3.2.3: reserved expansion.
    private static let reserved = table(
        """
        {+var} value
        {+hello} Hello%20World!
        {+half} 50%25
        {base}index http%3A%2F%2Fexample.com%2Fhome%2Findex
        {+base}index http://example.com/home/index
        O{+empty}X OX
        O{+undef}X OX
        {+path}/here /foo/bar/here
        here?ref={+path} here?ref=/foo/bar
        up{+path}{var}/here up/foo/barvalue/here
        {+x,hello,y} 1024,Hello%20World!,768
        {+path,x}/here /foo/bar,1024/here
        {+path:6}/here /foo/b/here
        {+list} red,green,blue
        {+list*} red,green,blue
        {+keys} semi,;,dot,.,comma,,
        {+keys*} semi=;,dot=.,comma=,
        """
    )

    /// RFC 6570 3.2.4: fragment expansion.
    private static let fragment = table(
        """
        {#var} #value
        {#hello} #Hello%20World!
        {#half} #50%25
        foo{#empty} foo#
        foo{#undef} foo
        {#x,hello,y} #1024,Hello%20World!,768
        {#path,x}/here #/foo/bar,1024/here
        {#path:6}/here #/foo/b/here
        {#list} #red,green,blue
        {#list*} #red,green,blue
        {#keys} #semi,;,dot,.,comma,,
        {#keys*} #semi=;,dot=.,comma=,
        """
    )

    /// RFC 6570 3.2.5: label expansion.
    private static let label = table(
        """
        {.who} .fred
        {.who,who} .fred.fred
        {.half,who} .50%25.fred
        www{.dom*} www.example.com
        X{.var} X.value
        X{.empty} X.
        X{.undef} X
        X{.var:3} X.val
        X{.list} X.red,green,blue
        X{.list*} X.red.green.blue
        X{.keys} X.semi,%3B,dot,.,comma,%2C
        X{.keys*} X.semi=%3B.dot=..comma=%2C
        X{.empty_keys} X
        X{.empty_keys*} X
        """
    )

    /// RFC 6570 3.2.6: path segment expansion.
    private static let path = table(
        """
        {/who} /fred
        {/who,who} /fred/fred
        {/half,who} /50%25/fred
        {/who,dub} /fred/me%2Ftoo
        {/var} /value
        {/var,empty} /value/
        {/var,undef} /value
        {/var,x}/here /value/1024/here
        {/var:1,var} /v/value
        {/list} /red,green,blue
        {/list*} /red/green/blue
        {/list*,path:4} /red/green/blue/%2Ffoo
        {/keys} /semi,%3B,dot,.,comma,%2C
        {/keys*} /semi=%3B/dot=./comma=%2C
        """
    )

    /// RFC 6570 3.2.7: path-style parameter expansion.
    private static let parameter = table(
        """
        {;who} ;who=fred
        {;half} ;half=50%25
        {;empty} ;empty
        {;v,empty,who} ;v=6;empty;who=fred
        {;v,bar,who} ;v=6;who=fred
        {;x,y} ;x=1024;y=768
        {;x,y,empty} ;x=1024;y=768;empty
        {;x,y,undef} ;x=1024;y=768
        {;hello:5} ;hello=Hello
        {;list} ;list=red,green,blue
        {;list*} ;list=red;list=green;list=blue
        {;keys} ;keys=semi,%3B,dot,.,comma,%2C
        {;keys*} ;semi=%3B;dot=.;comma=%2C
        """
    )

    /// RFC 6570 3.2.8: form-style query expansion.
    private static let query = table(
        """
        {?who} ?who=fred
        {?half} ?half=50%25
        {?x,y} ?x=1024&y=768
        {?x,y,empty} ?x=1024&y=768&empty=
        {?x,y,undef} ?x=1024&y=768
        {?var:3} ?var=val
        {?list} ?list=red,green,blue
        {?list*} ?list=red&list=green&list=blue
        {?keys} ?keys=semi,%3B,dot,.,comma,%2C
        {?keys*} ?semi=%3B&dot=.&comma=%2C
        """
    )

    /// RFC 6570 3.2.9: form-style query continuation.
    private static let continuation = table(
        """
        {&who} &who=fred
        {&half} &half=50%25
        ?fixed=yes{&x} ?fixed=yes&x=1024
        {&x,y,empty} &x=1024&y=768&empty=
        {&x,y,undef} &x=1024&y=768
        {&var:3} &var=val
        {&list} &list=red,green,blue
        {&list*} &list=red&list=green&list=blue
        {&keys} &keys=semi,%3B,dot,.,comma,%2C
        {&keys*} &semi=%3B&dot=.&comma=%2C
        """
    )
}
