# What .ci/run does, in single steps. FUZZTIME=5s make fuzz is shorter.
FUZZTIME ?= 30s

.PHONY: all build test race lint fmt fuzz bench demo golden docs cover ci

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

demo: build
	./bin/wallboard demo

# Writes the golden screens anew: look at the diff before you keep them.
golden:
	go test $$(go list -f '{{.ImportPath}} {{.TestImports}} {{.XTestImports}}' ./... | awk '/exp\/golden/ { print $$1 }') -update

# Writes what is generated in docs and README anew.
docs:
	go test ./config -run TestReference -update
	go test ./ui -run TestKeyTable -update

cover:
	go test -coverprofile=cover.out -coverpkg=./... ./...
	go tool cover -func=cover.out | tail -n 1

ci:
	bash .ci/run
