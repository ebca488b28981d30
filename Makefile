# The commands for developers and CI. They require only the Swift toolchain, and also Python 3 for `docs` and
# `coverage`, pip for `newest-curl`, `integration` and `vectors`, openssl for `static`, `integration` and `bench`, clang
# for `sanitize` and nginx for `bench`. Only `newest-curl`, `integration`, `vectors`, `bench` and `storm` fetch packages.

SWIFT ?= swift
# CI treats warnings as errors, so that they are fixed early, and so an import of a module that is no dependency, which
# compiles if that module happens to be built. It builds without debug information, which it does not use.
FLAGS := $(if $(CI),-Xswiftc -warnings-as-errors -debug-info-format none --explicit-target-dependency-import-check error)
# Four tests at a time: more would take the two cores from the tests that have a time limit, and gain nothing.
WIDTH := 4
TEST = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(WIDTH) $(SWIFT) test
# The events of the tests, with their times.
EVENTS := .build/test-events.jsonl
# All code with external dependencies is one package with one build configuration, since both of its parts need most of
# them. It is built with `swift build`: `swift test` would rebuild all dependencies with testing enabled.
PACKAGES := --configuration release -debug-info-format none --package-path Tests
BENCHMARKS := $(SWIFT) run $(PACKAGES) Benchmarks
# Optimized, since speed is tested too, and with testing enabled, since the tests access internal declarations.
FUZZ := $(SWIFT) run --configuration release -debug-info-format none -Xswiftc -enable-testing --package-path Tests/Fuzz
# The apps and the SDK that use the package as others do.
EXAMPLES := Docs/Examples/GitHubBrowser Docs/Examples/Bookshelf
SOURCES := Package.swift Sources $(wildcard Tests/*Tests) Tests/Core Tests/Engines Tests/Products Tests/Examples Tests/AppleBranch Tests/TestSupport Tests/WithoutFoundation \
	Tests/Package.swift Tests/Benchmarks Tests/Integration Tests/Fuzz/Package.swift Tests/Fuzz/Sources \
	Tests/ThirtyTwoBits $(foreach EXAMPLE,$(EXAMPLES),$(addprefix $(EXAMPLE)/,Package.swift Sources Tests))

.DEFAULT_GOAL := help
.PHONY: run test exhaustive lint apple foundation static format docs examples newest-curl integration vectors coverage api \
	sanitize storm fuzz fuzz-build soak outage bench way ci full help clean

run: ## Runs a demo: calls over real sockets on this machine
	$(SWIFT) run $(FLAGS) start-small demo

test: ## Runs all tests but the long ones, and prints the slowest; none of them uses an external network
	$(TEST) $(FLAGS) --event-stream-output-path $(EVENTS)
	@if command -v python3 >/dev/null; then python3 Tests/Slowest/report.py $(EVENTS) $(WIDTH); fi

# Two tests at a time: many of the long ones never suspend, and would leave no thread to a test with a time limit.
exhaustive: WIDTH := 2
exhaustive: ## Runs all tests, and those over all cuts, all pairs and many seeds, which take minutes
	STARTSMALL_EXHAUSTIVE=1 $(TEST) $(FLAGS)

lint: ## Checks formatting and documentation
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

# Finds mistakes in code for Apple platforms without a Mac: see CONTRIBUTING.
apple: ## Compiles the code for Apple platforms and for 32 bits on Linux, with warnings as errors
	APPLE_BRANCH=1 $(SWIFT) build --build-tests --scratch-path .build/apple -Xswiftc -warnings-as-errors \
		-debug-info-format none
	SWIFT=$(SWIFT) Tests/ThirtyTwoBits/run.sh

foundation: ## Checks an app that links no more of Foundation than FoundationEssentials, on Linux
	SWIFT=$(SWIFT) Tests/WithoutFoundation/run.sh $(FLAGS)

static: ## Checks a program with a static standard library in a root directory without a system, on Linux
	SWIFT=$(SWIFT) Tests/StaticRoot/run.sh $(FLAGS)

format: ## Formats the sources
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

docs: ## Builds the documentation site into .build/docs, and checks that all public symbols are documented
	Docs/build.sh

examples: ## Runs the tests of the packages in Docs/Examples
	$(SWIFT) test $(FLAGS) --package-path Docs/Examples/GitHubBrowser
	$(SWIFT) test $(FLAGS) --package-path Docs/Examples/Bookshelf

newest-curl: ## Runs the tests of the engine for Linux over the newest libcurl, fetched from PyPI
	SWIFT=$(SWIFT) Tests/NewestCurl/run.sh $(FLAGS)

# One test at a time: the servers of concurrent tests would starve each other on two cores.
integration: ## Tests against servers and programs of others, which are fetched and built first, and the publisher
	$(SWIFT) build --build-tests $(PACKAGES)
	$(SWIFT) test --skip-build --no-parallel $(PACKAGES)
	SWIFT=$(SWIFT) Tests/HARReaders/run.sh $(FLAGS)
	SWIFT=$(SWIFT) Tests/DigestPeers/run.sh $(FLAGS)
	RECIPES="$(PACKAGES)" SWIFT=$(SWIFT) Tests/OAuthPeers/run.sh $(FLAGS)

vectors: ## Checks the hash functions with the vectors of NIST and of the RFCs, fetched from PyPI
	rm -rf .build/vectors
	python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest .build/vectors \
		cryptography-vectors
	python3 -m zipfile --extract .build/vectors/*.whl .build/vectors
	HASH_VECTORS=$(CURDIR)/.build/vectors/cryptography_vectors $(SWIFT) test $(FLAGS) --filter HashTests

coverage: ## Prints the line coverage of each file of the library, on Linux; at least 95 % is required
	SWIFT=$(SWIFT) Tests/Coverage/run.sh

api: ## Checks that the public API is compatible with the last version
	SWIFT=$(SWIFT) Tests/API/run.sh

sanitize: ## Runs the tests with the address and thread sanitizers, on Linux
	SWIFT=$(SWIFT) Tests/Sanitizers/run.sh

storm: ## Cancels 2,000 calls at random moments 100 times, and ends 200 processes during calls, on Linux
	$(BENCHMARKS) storm

# `SECONDS=` sets the duration, `SEED=` reproduces the inputs of another run, `TARGETS=` selects parsers, and `TRY=` a
# single file for one of them.
fuzz: ## Fuzzes all parsers for a minute, and with a megabyte of input at once, on Linux
	$(FUZZ) Fuzz $(if $(TRY),try $(TARGETS) $(TRY),\
		$(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED)) $(TARGETS))

fuzz-build: ## Builds the package of the fuzz targets, the soak test and the simulated outage
	$(SWIFT) build --package-path Tests/Fuzz $(FLAGS)

# `SEED=` selects other random times. The table and the chart are those of the guide of StartSmallResilience.
outage: ## Simulates an outage with and without the wrappers for load, and draws the chart of the guide
	$(FUZZ) Outage $(if $(SEED),--seed $(SEED)) \
		--chart Sources/Products/StartSmallResilience/StartSmallResilience.docc/Resources/outage.svg

# `SECONDS=` sets the duration, `SEED=` reproduces the faults of another run.
soak: ## Calls a server with injected faults for ten minutes, on Linux
	$(FUZZ) Soak $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED))

# Runs all parts, or the selected ones: `make bench PARTS=calls`; `PARTS=help` lists them. Without nginx, it says so,
# and measures only calls, JSON and a large form; on other platforms than Linux, not the form either.
# `PARTS=size` builds apps from nothing, and is not one of all parts.
bench: OTHERS = $(filter-out size,$(PARTS))
bench: ## Measures the cost of a call, and compares engines with others over nginx
	$(if $(filter size,$(PARTS)),SWIFT=$(SWIFT) Tests/AppSize/run.sh)
	$(if $(filter size,$(PARTS)),SWIFT=$(SWIFT) Tests/AppSize/run.sh StartSmallMetrics)
	$(if $(PARTS),$(if $(OTHERS),$(BENCHMARKS) $(OTHERS)),$(BENCHMARKS))

way: ## Prints the way of a GET through the sources, file by file, on Linux with gdb and Python 3
	$(SWIFT) build --product start-small
	gdb -q -batch -x Docs/way.py --args "$$(readlink -f .build/debug)/start-small" example get-json 2>&1 | grep -E '^ *[0-9]+ '

ci: ## Runs the steps of CI on this machine
	.ci/run

# `STEPS=` selects some of the steps that the script lists, `DURATION=` and an empty `SEED=` make longer searches of them.
full: ## Runs the checks that search or measure, for hours: for a release, and each night
	.ci/full

clean: ## Removes all build products
	rm -rf .build Tests/.build Tests/Fuzz/.build $(EXAMPLES:%=%/.build)

help: ## Lists the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
