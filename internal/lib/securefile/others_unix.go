//go:build unix && !linux

package securefile

import "io/fs"

// isPrivateGroup reports false: groups for a single user are a Linux convention.
func isPrivateGroup(string, fs.FileInfo) bool { return false }
