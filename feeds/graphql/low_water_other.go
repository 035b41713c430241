//go:build !linux

package graphql

import "net"

// setLowWaterMark does nothing, because it would only save wake-ups.
func setLowWaterMark(net.Conn, int) {}
