//go:build unix && !linux

package securefile

import "io/fs"

// ownGroup reports false: groups for a single user are a Linux convention.
func ownGroup(string, fs.FileInfo) bool { return false }
