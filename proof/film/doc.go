// Package film measures recordings of a simulated floor: the cost of reading them back
// and of running alert rules over them. It consists of tests and benchmarks.
//
//	go test ./proof/film -run '^$' -bench .
package film
