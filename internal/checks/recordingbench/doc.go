// Package recordingbench measures recordings of a simulated floor: the cost of reading them back
// and of running alert rules over them. It consists of tests and benchmarks.
//
//	go test ./internal/checks/recordingbench -run '^$' -bench .
package recordingbench
