//go:build unix && !linux

package securefile

import "io/fs"

// isPrivateGroup returns false, because groups for a single user are a convention of Linux.
func isPrivateGroup(string, fs.FileInfo) bool { return false }
