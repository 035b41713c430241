package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"wallboard/internal/private"
)

// errLocked is a file that another process has locked.
var errLocked = errors.New("another process has locked it")

// lockFile makes a file this process's own until unlock, or until it ends,
// however it ends. Its error is errLocked if it is another's.
func lockFile(path string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	f, err := private.Update(path)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if err := lock(f); err != nil {
		_ = f.Close() // nothing is in it
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}
