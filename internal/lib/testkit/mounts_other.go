//go:build !linux

package testkit

// PrivateMounts does nothing: tests mount file systems only on Linux.
func PrivateMounts() {}
