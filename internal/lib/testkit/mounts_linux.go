package testkit

import (
	"os"
	"runtime"
	"syscall"
)

// mountsEnv marks a process with a mount namespace of its own.
const mountsEnv = "WALLBOARD_TEST_MOUNTS"

// UsePrivateMounts gives the test process and its children a mount namespace of their own if it
// runs as root, so that the file systems that its tests mount end with it, even if it is killed.
// It executes the program again, so TestMain calls it first.
func UsePrivateMounts() {
	if os.Geteuid() != 0 || os.Getenv(mountsEnv) != "" {
		return
	}
	runtime.LockOSThread() // unshare concerns the thread that executes the program
	defer runtime.UnlockOSThread()
	if syscall.Unshare(syscall.CLONE_NEWNS) != nil || syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "") != nil {
		return // nothing can be mounted here
	}
	_ = syscall.Exec("/proc/self/exe", os.Args, append(os.Environ(), mountsEnv+"=1")) //nolint:gosec // the same program
}
