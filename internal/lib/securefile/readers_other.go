//go:build !unix

package securefile

import "io/fs"

// FindReader returns a problem if the file is not a regular file. It does not check which users can
// read the file, because the file mode has no meaning on these systems.
func FindReader(path string, info fs.FileInfo, _ bool) *Problem {
	if !info.Mode().IsRegular() {
		return &Problem{Path: path, Text: "is not a regular file"}
	}
	return nil
}
