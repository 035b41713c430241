package commands

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"wallboard/internal/lib/securefile"
)

const (
	folderPrefix = "wallboard-demo-"
	lockName     = "lock"
	// lockGrace is how old a folder must be before it may be removed. The demo of a younger folder
	// may not have locked it yet. staleAge is how old a folder without a lock must be.
	lockGrace = time.Minute
	staleAge  = 24 * time.Hour
)

// DemoFolder creates a folder below temp for the files of a demo, and locks it while the demo runs.
// It also removes the folders of demos that were killed. remove removes the new folder.
func DemoFolder(temp string, now time.Time) (dir string, remove func(), err error) {
	if dir, err = os.MkdirTemp(temp, folderPrefix); err != nil {
		return "", nil, fmt.Errorf("make a folder: %w", err)
	}
	release, err := securefile.HoldLock(filepath.Join(dir, lockName), 0)
	if err != nil {
		_ = os.RemoveAll(dir) // remove the empty folder again
		return "", nil, fmt.Errorf("make a folder: %w", err)
	}
	if releaseAgain, err := securefile.HoldLock(filepath.Join(dir, lockName), 0); err == nil {
		releaseAgain() // locks have no effect on this file system, so the folders of running demos cannot be recognized
	} else {
		removeStaleFolders(temp, now)
	}
	return dir, func() {
		_ = os.RemoveAll(dir) // if this fails, the next demo removes the folder
		release()
	}, nil
}

// removeStaleFolders removes the folders of demos that no longer run.
func removeStaleFolders(temp string, now time.Time) {
	folders, _ := filepath.Glob(filepath.Join(temp, folderPrefix+"*")) // the pattern is valid
	for _, dir := range folders {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || now.Sub(info.ModTime()) < lockGrace || len(securefile.FindExposures(dir)) > 0 {
			continue
		}
		lock := filepath.Join(dir, lockName)
		if _, err := os.Lstat(lock); err != nil && now.Sub(info.ModTime()) < staleAge {
			continue // created by a version that does not lock folders
		}
		if release, err := securefile.HoldLock(lock, 0); err == nil {
			_ = os.RemoveAll(dir) // if this fails, the next demo tries again
			release()
		}
	}
}
