package testkit

import (
	"os"
	"runtime"
	"syscall"
)

// mountsEnv is the environment variable of a process that has a mount namespace of its own.
const mountsEnv = "WALLBOARD_TEST_MOUNTS"

// UsePrivateMounts gives the test process and its children a mount namespace of their own if it
// runs as root. The file systems that its tests mount then end with the process, even if it is
// killed. TestMain calls UsePrivateMounts first, because it executes the program again.
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
