SHELL = /bin/bash -o pipefail

# What .ci/run does, in single steps. FUZZTIME=5s make fuzz is shorter.
FUZZTIME ?= 30s

# Which days, and how many, make proof lives through.
SEED ?= 1
DAYS ?= 14

.PHONY: all build test race lint fmt fuzz bench demo golden docs cover ci proof guards situations situations-floors needed healthy forecast cluster served served-day served-baseline vandals recording-baseline

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

# Lives through days of faults and compares every figure every second.
proof:
	PROOF_SEED=$(SEED) PROOF_DAYS=$(DAYS) go test ./internal/checks/proof -run TheBoardNeverLies -count 1 -timeout 2h -v | grep -v '^=== '

# Stages every situation that the simulator knows and asks the board why.
situations:
	STAGED=all STAGED_SEED=$(SEED) go test ./internal/checks/proof -run StagedSituationsAreExplained -count 1 -timeout 1h -v | grep -v '^=== '

# The same without the wire, on one floor after the other.
situations-floors:
	STAGED_FLOORS=$(or $(FLOORS),6) go test ./internal/checks/proof -run StagedSituationsOnManyFloors -count 1 -timeout 1h -v | grep -v '^=== '

# How many more agents a queue takes, against worlds that run on with so many more.
# FLOORS says on how many, NEEDED_SEED from which on.
needed:
	NEEDED_FLOORS=$(or $(FLOORS),6) NEEDED_FUTURES=$(or $(FUTURES),16) go test ./internal/checks/proof -run AgentsNeeded -count 1 -timeout 2h -v | grep -v '^=== '

# What the board tells on floors on which nothing goes wrong, eight hours of each.
healthy:
	HEALTHY_FLOORS=$(or $(FLOORS),2) go test ./internal/checks/proof -run HealthyFloor -count 1 -timeout 1h -v | grep -v '^=== '

# Servers that name each other: leaders that vanish, networks that are cut. It wants a
# machine that does little else.
cluster:
	CLUSTER=1 go test ./internal/serve/cluster -skip 'LeaderKilled|ManyActions|IdleCost|ToldWithin|PublishCost' -count 1 -timeout 30m -parallel 2
	CLUSTER=1 go test ./internal/serve/cluster -run 'IdleCost|ToldWithin|PublishCost' -bench 'Publish|Hear' -count 1 -timeout 10m -v | grep -v '^=== '
	CLUSTER=1 CLUSTER_KILLS=50 go test ./internal/serve/cluster -run LeaderKilled -count 1 -timeout 20m -v | grep -v '^=== '
	CLUSTER=1 CLUSTER_KILLS=50 CLUSTER_AGENTS=5000 go test ./internal/serve/cluster -run LeaderKilled -count 1 -timeout 20m -v | grep -v '^=== '
	CLUSTER=1 CLUSTER_ACTIONS=$(or $(ACTIONS),10000) go test ./internal/serve/cluster -run ManyActions -count 1 -timeout 2h -v | grep -v '^=== '
	CLUSTER=1 go test ./internal/cli ./internal/cli/commands -run 'ServeCluster|SharedSoon' -count 1 -timeout 10m
	CLUSTER=1 CLUSTER_VIEWERS=$(or $(VIEWERS),1500) go test ./internal/cli -run ServeClusterViewers -count 1 -timeout 30m -v | grep -v '^=== '
	CLUSTER=1 PROOF_MINUTES=3 go test ./internal/checks/proof -run AFollowerNeverLies -count 1 -timeout 10m -v | grep -v '^=== '

# What a server takes for many viewers, each a real client of SSH: the goals are in
# internal/cli/serve_scale_linux_test.go. It wants a machine that does nothing else.
served:
	SERVE_VIEWERS=$(or $(VIEWERS),500) go test ./internal/cli -run ManyViewers -count 1 -timeout 1h -v | grep -v '^=== '
	SERVE_REWOUND=20 go test ./internal/cli -run RewindersCostNobody -count 1 -timeout 30m -v | grep -v '^=== '
	SSHD_WRONG_KEYS=10000 go test ./internal/serve/sshterminal -run WrongKeys -count 1 -timeout 30m -v | grep -v '^=== '
	SERVE_WRONG_KEYS=10000 SERVE_VISITS=3000 go test ./internal/cli -run 'Intruders|ComingAndGoing' -count 1 -timeout 30m -v | grep -v '^=== '

# A server through two days of people who come and go.
served-day:
	SERVE_HOURS=47 go test ./internal/cli -run ServedForADay -count 1 -timeout 1h -v | grep -v '^=== '

# The same board by wish and a program of Bubble Tea for each viewer, beside ours.
served-baseline:
	go build -C internal/checks/wishbench -o $(CURDIR)/bin/wish .
	SERVE_BASELINE=$(CURDIR)/bin/wish go test ./internal/cli -run Baseline -count 1 -timeout 30m -v | grep -v '^=== '

# Measures recordings beside SQLite: sizes, the cost of writing, the time to seek.
recording-baseline:
	cd internal/checks/sqlitebench && go test -run '^$$' -bench . -benchtime 1x .

# An hour of people with a key who send boards whatever they can.
vandals:
	SERVE_RANDOM=$(or $(FOR),1h) go test ./internal/cli -run Vandals -count 1 -timeout 3h -v | grep -v '^=== '

# Where days end, against where the board said that they would.
forecast:
	FORECAST_DAYS=20 FORECAST_FLOORS=10 go test ./internal/checks/proof -run ForecastOfDays -count 1 -timeout 1h -v | grep -v '^=== '

# Disables one guard after the other: a named test must notice each.
guards:
	PROOF_GUARDS=1 go test ./internal/checks/proof -run EveryGuardIsNoticed -count 1 -timeout 1h -v | grep -v '^=== '

demo: build
	./bin/wallboard demo

# Writes the golden screens anew: look at the diff before you keep them.
golden:
	go test $$(go list -f '{{.ImportPath}} {{.TestImports}} {{.XTestImports}}' ./... | awk '/exp\/golden/ { print $$1 }') -update

# Writes the generated parts of docs.
docs:
	go test ./internal/config -run TestReference -update
	go test ./model/kpi -run Documented -update
	go test ./ui -run 'TestKeyTable|TestTaskTable' -update
	go test ./ui/render -run TestColumnReference -update

cover:
	go test -coverprofile=cover.out -coverpkg=./... ./...
	go tool cover -func=cover.out | tail -n 1

ci:
	bash .ci/run
