SHELL = /bin/bash -o pipefail

# The single steps of .ci/run, and long runs. FUZZTIME=5s make fuzz is shorter.
FUZZTIME ?= 30s

# Seed and number of the simulated days of make proof.
SEED ?= 1
DAYS ?= 14

.PHONY: all build test race lint fmt fuzz bench demo golden docs words cover ci proof guards situations situations-floors needed healthy forecast breaks cluster served served-day served-baseline vandals recording-baseline dist dist-check dist-repository site versions

all: build test lint

build:
	CGO_ENABLED=0 go build -trimpath -o bin/wallboard .

test:
	go test ./...

race:
	CGO_ENABLED=1 go test -race ./...

lint:
	.ci/lint run

fmt:
	.ci/lint fmt

fuzz:
	.ci/fuzz $(FUZZTIME)

bench:
	go test -run '^$$' -bench . -benchmem ./...

# Compares every figure every second through simulated days of faults.
proof:
	PROOF_SEED=$(SEED) PROOF_DAYS=$(DAYS) go test ./internal/checks/proof -run TheBoardNeverLies -count 1 -timeout 2h -v | grep -v '^=== '

# Stages every situation of the simulator and checks the causes that the board finds.
situations:
	STAGED=all STAGED_SEED=$(SEED) go test ./internal/checks/proof -run StagedSituationsAreExplained -count 1 -timeout 1h -v | grep -v '^=== '

# The same without a connection, on several floors.
situations-floors:
	STAGED_FLOORS=$(or $(FLOORS),6) go test ./internal/checks/proof -run StagedSituationsOnManyFloors -count 1 -timeout 1h -v | grep -v '^=== '

# Compares the recommended number of agents with simulated futures that have that number.
# FLOORS is the number of floors, NEEDED_SEED the first one.
needed:
	NEEDED_FLOORS=$(or $(FLOORS),6) NEEDED_FUTURES=$(or $(FUTURES),16) go test ./internal/checks/proof -run AgentsNeeded -count 1 -timeout 2h -v | grep -v '^=== '

# Lists what the board reports in eight hours on floors without trouble.
healthy:
	HEALTHY_FLOORS=$(or $(FLOORS),2) go test ./internal/checks/proof -run HealthyFloor -count 1 -timeout 1h -v | grep -v '^=== '

# Clusters: leaders that are killed, networks that are cut. It needs a nearly idle machine.
cluster:
	CLUSTER=1 go test ./internal/serve/cluster -skip 'LeaderKilled|ManyActions|IdleCost|ToldWithin|PublishCost' -count 1 -timeout 30m -parallel 2
	CLUSTER=1 go test ./internal/serve/cluster -run 'IdleCost|ToldWithin|PublishCost' -bench 'Publish|Hear' -count 1 -timeout 10m -v | grep -v '^=== '
	CLUSTER=1 CLUSTER_KILLS=50 go test ./internal/serve/cluster -run LeaderKilled -count 1 -timeout 20m -v | grep -v '^=== '
	CLUSTER=1 CLUSTER_KILLS=50 CLUSTER_AGENTS=5000 go test ./internal/serve/cluster -run LeaderKilled -count 1 -timeout 20m -v | grep -v '^=== '
	CLUSTER=1 CLUSTER_ACTIONS=$(or $(ACTIONS),10000) go test ./internal/serve/cluster -run ManyActions -count 1 -timeout 2h -v | grep -v '^=== '
	CLUSTER=1 go test ./internal/cli ./internal/cli/commands -run 'ServeCluster|SharedSoon' -count 1 -timeout 10m
	CLUSTER=1 CLUSTER_VIEWERS=$(or $(VIEWERS),1500) go test ./internal/cli -run ServeClusterViewers -count 1 -timeout 30m -v | grep -v '^=== '
	CLUSTER=1 PROOF_MINUTES=3 go test ./internal/checks/proof -run AFollowerNeverLies -count 1 -timeout 10m -v | grep -v '^=== '

# Measures a server with many viewers, each a real SSH client; the goals are in
# internal/cli/serve_scale_linux_test.go. It needs an idle machine.
served:
	SERVE_VIEWERS=$(or $(VIEWERS),500) go test ./internal/cli -run ManyViewers -count 1 -timeout 1h -v | grep -v '^=== '
	SERVE_REWOUND=20 go test ./internal/cli -run RewindersCostNobody -count 1 -timeout 30m -v | grep -v '^=== '
	SSHD_WRONG_KEYS=10000 go test ./internal/serve/sshterminal -run WrongKeys -count 1 -timeout 30m -v | grep -v '^=== '
	SERVE_WRONG_KEYS=10000 SERVE_VISITS=3000 go test ./internal/cli -run 'Intruders|ComingAndGoing' -count 1 -timeout 30m -v | grep -v '^=== '

# Runs a server for two days while viewers log in and out.
served-day:
	SERVE_HOURS=47 go test ./internal/cli -run ServedForADay -count 1 -timeout 1h -v | grep -v '^=== '

# Compares the server with wish and one Bubble Tea program for each viewer.
served-baseline:
	go build -C internal/checks/benchmarks -o $(CURDIR)/bin/wish .
	SERVE_BASELINE=$(CURDIR)/bin/wish go test ./internal/cli -run Baseline -count 1 -timeout 30m -v | grep -v '^=== '

# Compares recordings with SQLite: size, cost of writing, time to seek.
recording-baseline:
	cd internal/checks/benchmarks && go test -run '^$$' -bench . -benchtime 1x .

# The documentation as plain HTML in bin/site, with a search and a recording of the screen as text.
# It needs no server: open bin/site/index.html.
SITE_RECORDING ?= internal/cli/testdata/versions/2026-11-28/recording.wbr
site:
	rm -rf bin/site bin/casts && mkdir -p bin/casts
	install -m 600 '$(SITE_RECORDING)' bin/casts/recording.wbr
	go run -trimpath . record cast bin/casts/recording.wbr --speed 4 --out bin/casts/overview.cast
	go run -C internal/tools -trimpath ./site -root $(CURDIR) -out $(CURDIR)/bin/site -casts $(CURDIR)/bin/casts

# Runs this version beside an earlier one: viewer and server, a cluster of both, recordings. EARLIER
# is a tag or commit: the last release by default, or before the first one, 200 commits ago.
EARLIER ?= $(shell git describe --tags --abbrev=0 HEAD~ 2>/dev/null || git rev-parse --verify --quiet HEAD~200 2>/dev/null)
versions:
ifeq ($(EARLIER),)
	@echo 'skipped: this copy has no earlier version; clone the whole repository, or set EARLIER to a tag or commit'
else
	dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && git archive '$(EARLIER)' | tar -x -C "$$dir" && \
		CGO_ENABLED=0 go build -C "$$dir" -trimpath -buildvcs=false -o $(CURDIR)/bin/earlier .
	EARLIER_PROGRAM=$(CURDIR)/bin/earlier go test ./internal/cli -run TwoVersions -count 1 -timeout 10m -v | grep -v '^=== '
endif

# Sends random input to served boards for an hour.
vandals:
	SERVE_RANDOM=$(or $(FOR),1h) go test ./internal/cli -run Vandals -count 1 -timeout 3h -v | grep -v '^=== '

# Compares the end-of-day forecasts with how simulated days end.
forecast:
	FORECAST_DAYS=20 FORECAST_FLOORS=10 go test ./internal/checks/proof -run ForecastOfDays -count 1 -timeout 1h -v | grep -v '^=== '

# Compares breaks by the release plan with breaks at random times on simulated days.
breaks:
	BREAK_DAYS=5 BREAK_FLOORS=10 go test ./internal/checks/proof -run BreaksByPlan -count 1 -timeout 1h -v | grep -v '^=== '

# Disables each guard in turn; its test must fail.
guards:
	PROOF_GUARDS=1 go test ./internal/checks/proof -run EveryGuardIsNoticed -count 1 -timeout 1h -v | grep -v '^=== '

demo: build
	./bin/wallboard demo

# Rewrites the golden screens: read the diff before you commit.
golden:
	go test $$(go list -f '{{.ImportPath}} {{.TestImports}} {{.XTestImports}}' ./... | awk '/exp\/golden/ { print $$1 }') -update

# Generates the functions of the messages of the catalogue, see docs/dev/words.md.
words:
	go test ./internal/words/catalogue -update

# Rewrites the generated parts of docs.
docs:
	go test ./internal/config -run 'TestReference|TestSchema$$' -update
	go test ./model/kpi -run Documented -update
	go test ./ui -run 'TestKeyTable|TestTaskTable' -update
	go test ./ui/render -run TestColumnReference -update
	go test ./internal/cli -run TestCommandReference -update

cover:
	go test -coverprofile=cover.out -coverpkg=./... ./...
	go tool cover -func=cover.out | tail -n 1

ci:
	bash .ci/run

# The release: archives, packages, an image, a formula, checksums and bills of materials in
# bin/dist. VERSION is the tag by default; DIST_URL is the address where the files will be.
VERSION ?= $(shell git describe --tags --exact-match 2>/dev/null || echo 0.0.0-$$(git log -1 --format=%cd.%h --date=format:%Y%m%d))
COMMIT ?= $(shell git rev-parse HEAD)
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
DIST_TARGETS ?= linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64
DIST_URL ?= https://wallboard.example/releases
DIST_OUT ?= $(CURDIR)/bin/dist
DIST = $(CURDIR)/bin/dist-tool -version '$(VERSION)' -commit '$(COMMIT)' -date '$(SOURCE_DATE_EPOCH)' -targets '$(DIST_TARGETS)' -url '$(DIST_URL)'

bin/dist-tool: $(wildcard internal/tools/dist/*.go) internal/tools/go.mod
	go build -C internal/tools -trimpath -o $(CURDIR)/$@ ./dist

dist: bin/dist-tool
	$(DIST) -out '$(DIST_OUT)'

# Builds a second release from the source archive of the first one, in another directory, and
# compares all bytes.
dist-check: dist
	rm -rf bin/dist-source bin/dist-again
	mkdir -p bin/dist-source
	tar -xzf '$(DIST_OUT)'/wallboard_*_source.tar.gz -C bin/dist-source --strip-components=1
	cd bin/dist-source && $(DIST) -out $(CURDIR)/bin/dist-again
	diff -r '$(DIST_OUT)' bin/dist-again
	rm -rf bin/dist-source bin/dist-again

# A signed apt and rpm repository in bin/repository, for any web server. DIST_KEY is a file with
# the armored private key: gpg --armor --export-secret-keys ID.
dist-repository: bin/dist-tool
	$(DIST) -out '$(DIST_OUT)' -repository bin/repository -key '$(DIST_KEY)'
