// Package keyhelp draws the list of all keys and lets the viewer run one of them. It starts no goroutine.
package keyhelp
