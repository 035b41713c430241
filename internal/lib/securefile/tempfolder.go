package securefile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	lockName = "lock"
	// lockGrace is how old a directory must be before it may be removed. It leaves a process time
	// to lock its new directory. staleAge is the corresponding age of a directory without a lock
	// file.
	lockGrace = time.Minute
	staleAge  = 24 * time.Hour
)

// CreateTempFolder creates a directory below parent, with a name that begins with prefix, and
// locks it while the process runs. It also removes the directories of killed processes with
// that prefix. The returned function remove removes the new directory.
func CreateTempFolder(parent, prefix string, now time.Time) (dir string, remove func(), err error) {
	if dir, err = os.MkdirTemp(parent, prefix); err != nil {
		return "", nil, fmt.Errorf("make a folder: %w", err)
	}
	release, err := HoldLock(filepath.Join(dir, lockName), 0)
	if err != nil {
		_ = os.RemoveAll(dir) // the folder is empty
		return "", nil, fmt.Errorf("make a folder: %w", err)
	}
	if releaseAgain, err := HoldLock(filepath.Join(dir, lockName), 0); err == nil {
		releaseAgain() // locks have no effect here, so running processes cannot be recognized
	} else {
		removeStaleFolders(parent, prefix, now)
	}
	return dir, func() {
		_ = os.RemoveAll(dir) // the process ends: the next one removes remaining files
		release()
	}, nil
}

// removeStaleFolders removes the directories of processes that no longer run.
func removeStaleFolders(parent, prefix string, now time.Time) {
	entries, _ := os.ReadDir(parent) // the next process retries
	for _, e := range entries {
		dir := filepath.Join(parent, e.Name())
		if !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || now.Sub(info.ModTime()) < lockGrace || len(FindExposures(dir)) > 0 {
			continue
		}
		lock := filepath.Join(dir, lockName)
		if _, err := os.Lstat(lock); err != nil && now.Sub(info.ModTime()) < staleAge {
			continue // a version of the program without locks may still use the folder
		}
		if release, err := HoldLock(lock, 0); err == nil {
			_ = os.RemoveAll(dir) // the next process retries
			release()
		}
	}
}
