import StartSmall
import Testing

/// One line of a table in RFC 6570: a template and its expansion.
struct TemplateExample: Sendable, CustomTestStringConvertible {
    let template: String
    let expected: String

    var testDescription: String { "\(template) → \(expected)" }

    /// Returns the lines of a table, with a template and its expansion in each.
    static func table(_ lines: String) -> [TemplateExample] {
        lines.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: " ")
            return cells.count == 2 ? TemplateExample(template: "\(cells[0])", expected: "\(cells[1])") : nil
        }
    }
}

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

    private static let tables = [
        levels, modifiers, variableExpansion, simple, reserved, fragment, label, path, parameter, query, continuation,
    ]

    @Test("the examples of RFC 6570 1.2, 2.4 and 3.2.1 to 3.2.9 expand as given", arguments: tables.flatMap(\.self))
    func examples(_ example: TemplateExample) throws {
        #expect(try URITemplate(example.template).expand(Self.variables) == example.expected)
    }

    @Test("the tables are read completely")
    func counts() {
        #expect(Self.tables.map(\.count) == [57, 7, 9, 16, 17, 12, 14, 14, 13, 10, 10])
    }
}

extension URITemplateExamplesTests {
    /// RFC 6570 1.2: levels 1 to 4.
    private static let levels = TemplateExample.table(
        """
        {var} value
        {hello} Hello%20World%21
        {+var} value
        {+hello} Hello%20World!
        {+path}/here /foo/bar/here
        here?ref={+path} here?ref=/foo/bar
        X{#var} X#value
        X{#hello} X#Hello%20World!
        map?{x,y} map?1024,768
        {x,hello,y} 1024,Hello%20World%21,768
        {+x,hello,y} 1024,Hello%20World!,768
        {+path,x}/here /foo/bar,1024/here
        {#x,hello,y} #1024,Hello%20World!,768
        {#path,x}/here #/foo/bar,1024/here
        X{.var} X.value
        X{.x,y} X.1024.768
        {/var} /value
        {/var,x}/here /value/1024/here
        {;x,y} ;x=1024;y=768
        {;x,y,empty} ;x=1024;y=768;empty
        {?x,y} ?x=1024&y=768
        {?x,y,empty} ?x=1024&y=768&empty=
        ?fixed=yes{&x} ?fixed=yes&x=1024
        {&x,y,empty} &x=1024&y=768&empty=
        {var:3} val
        {var:30} value
        {list} red,green,blue
        {list*} red,green,blue
        {keys} semi,%3B,dot,.,comma,%2C
        {keys*} semi=%3B,dot=.,comma=%2C
        {+path:6}/here /foo/b/here
        {+list} red,green,blue
        {+list*} red,green,blue
        {+keys} semi,;,dot,.,comma,,
        {+keys*} semi=;,dot=.,comma=,
        {#path:6}/here #/foo/b/here
        {#list} #red,green,blue
        {#list*} #red,green,blue
        {#keys} #semi,;,dot,.,comma,,
        {#keys*} #semi=;,dot=.,comma=,
        X{.var:3} X.val
        X{.list} X.red,green,blue
        X{.list*} X.red.green.blue
        X{.keys} X.semi,%3B,dot,.,comma,%2C
        X{.keys*} X.semi=%3B.dot=..comma=%2C
        {/var:1,var} /v/value
        {/list} /red,green,blue
        {/list*} /red/green/blue
        {/list*,path:4} /red/green/blue/%2Ffoo
        {/keys} /semi,%3B,dot,.,comma,%2C
        {/keys*} /semi=%3B/dot=./comma=%2C
        {;hello:5} ;hello=Hello
        {;keys*} ;semi=%3B;dot=.;comma=%2C
        {?var:3} ?var=val
        {?keys*} ?semi=%3B&dot=.&comma=%2C
        {&var:3} &var=val
        {&keys*} &semi=%3B&dot=.&comma=%2C
        """
    )

    /// RFC 6570 2.4: modifiers.
    private static let modifiers = TemplateExample.table(
        """
        {var:20} value
        {var:3} val
        {semi} %3B
        {semi:2} %3B
        /mapper{?address*} /mapper?city=Newport%20Beach&state=CA
        find{?year*} find?year=1965&year=2000&year=2012
        www{.dom*} www.example.com
        """
    )

    /// RFC 6570 3.2.1: variable expansion.
    private static let variableExpansion = TemplateExample.table(
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
    private static let simple = TemplateExample.table(
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
    private static let reserved = TemplateExample.table(
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
    private static let fragment = TemplateExample.table(
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
    private static let label = TemplateExample.table(
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
    private static let path = TemplateExample.table(
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
    private static let parameter = TemplateExample.table(
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
    private static let query = TemplateExample.table(
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
    private static let continuation = TemplateExample.table(
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
