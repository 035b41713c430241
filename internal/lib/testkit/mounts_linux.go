package testkit

import (
	"os"
	"runtime"
	"syscall"
)

// mountsEnv is an environment variable that is set in a process with its own mount namespace.
const mountsEnv = "WALLBOARD_TEST_MOUNTS"

// UsePrivateMounts gives a test process that runs as root, and its children, their own mount
// namespace. File systems mounted by tests then disappear when the process ends, even if it is
// killed. TestMain must call UsePrivateMounts first, because it executes the program again.
func UsePrivateMounts() {
	if os.Geteuid() != 0 || os.Getenv(mountsEnv) != "" {
		return
	}
	runtime.LockOSThread() // unshare only affects the thread that executes the program
	defer runtime.UnlockOSThread()
	if syscall.Unshare(syscall.CLONE_NEWNS) != nil || syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "") != nil {
		return // this process cannot mount file systems
	}
	_ = syscall.Exec("/proc/self/exe", os.Args, append(os.Environ(), mountsEnv+"=1")) //nolint:gosec // executes the current program again
}
