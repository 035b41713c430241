//go:build !linux

package testkit

// UsePrivateMounts does nothing: tests mount file systems only on Linux.
func UsePrivateMounts() {}
