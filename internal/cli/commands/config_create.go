package commands

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"wallboard/internal/cli/cmdutil"
)

// createFile writes a file with mode 0600. If the file exists, it returns an error or, if overwrite
// is true, replaces the file atomically.
func createFile(path, text string, overwrite bool) error {
	f, err := openNewFile(path, overwrite)
	switch {
	case errors.Is(err, fs.ErrExist):
		return cmdutil.NewUsageError(fmt.Errorf("%s exists already: --force overwrites it", path))
	case err != nil:
		return fmt.Errorf("cannot write the file: %w", err)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err == nil && overwrite {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // remove the incomplete file
		return fmt.Errorf("cannot write the file: %w", err)
	}
	return nil
}

func openNewFile(path string, overwrite bool) (*os.File, error) {
	if overwrite {
		return os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	}
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // the path is given by the user
}
