//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package audit

import "os"

// There is no flock here: a file belongs to one program.
func lock(*os.File) error       { return nil }
func lockShared(*os.File) error { return nil }
func unlock(*os.File)           {}

// A directory cannot be synced everywhere, Windows for one.
func syncDirectory(*os.File) error { return nil }
