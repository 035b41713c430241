package configuring

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"wallboard/cli/command"
)

// create writes a file that nobody else can read; over one that is there only
// where that is wanted, and then at once.
func create(path, text string, over bool) error {
	f, err := newFile(path, over)
	switch {
	case errors.Is(err, fs.ErrExist):
		return command.Usage(fmt.Errorf("%s is there already: --force writes over it", path))
	case err != nil:
		return fmt.Errorf("the file cannot be written: %w", err)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err == nil && over {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // half a file is of no use
		return fmt.Errorf("the file cannot be written: %w", err)
	}
	return nil
}

func newFile(path string, over bool) (*os.File, error) {
	if over {
		return os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") //nolint:wrapcheck // create says what it is for
	}
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec,wrapcheck // the user names the file
}
