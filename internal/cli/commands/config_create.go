package commands

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
)

// createFile writes a new file with mode 0600, or shares it with a service as
// [securefile.ShareWithService] does. It returns an error if the file exists.
func createFile(path, text string) error {
	return createWith(path, text, securefile.ShareWithService)
}

// createPrivateFile writes a new file with mode 0600. It returns an error if the file exists.
func createPrivateFile(path, text string) error {
	return createWith(path, text, func(*os.File) error { return nil })
}

func createWith(path, text string, setAccess func(*os.File) error) error {
	return cmdutil.CreateFile(path, " already: --force overwrites it", func(f *os.File) error {
		_, err := f.WriteString(text)
		return errors.Join(err, setAccess(f))
	})
}

// replaceFile writes a file without secrets atomically. A file that it replaces keeps its mode, its
// owner and its group; a new one has mode 0600.
func replaceFile(path, text string) error {
	if err := securefile.ReplaceKeeping(path, []byte(text)); err != nil {
		return fmt.Errorf("cannot write the file: %w", err)
	}
	return nil
}

// replaceSecretFile writes a file with secrets atomically. The new file has mode 0600 or is shared
// with a service, whatever the mode of the file that it replaces.
func replaceSecretFile(path, text string) error {
	if err := securefile.ReplaceByShared(path, []byte(text)); err != nil {
		return fmt.Errorf("cannot write the file: %w", err)
	}
	return nil
}

type undoList []func() error

// run undoes everything, the last first. It returns the errors.
func (u undoList) run() error {
	var errs []error
	for _, undo := range slices.Backward(u) {
		errs = append(errs, undo())
	}
	return errors.Join(errs...)
}

// removeFile adds the removal of a file or an empty folder.
func (u *undoList) removeFile(path string) {
	*u = append(*u, func() error {
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("left behind: %w", err)
		}
		return nil
	})
}

// createFolder creates a folder and the missing folders above it with mode 0700, and adds their
// removal.
func (u *undoList) createFolder(dir string) error {
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := u.createFolder(filepath.Dir(dir)); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	u.removeFile(dir)
	return nil
}

// writeOrUndo checks a configuration, creates the folder of path and calls write, which writes the
// configuration to path. After an error, it undoes the steps that it and write have added to undo.
func writeOrUndo(path string, c *config.Config, write func(undo *undoList) error) error {
	if err := checkConfig(c, false); err != nil {
		return err
	}
	var undo undoList
	err := undo.createFolder(filepath.Dir(path))
	if err != nil {
		err = fmt.Errorf("cannot write the configuration: %w", err)
	} else {
		err = write(&undo)
	}
	if err != nil {
		return errors.Join(err, undo.run())
	}
	return nil
}

// typedSecret and typedKey are made-up environment variables through which typed secrets reach the
// parser before they are stored.
const (
	typedSecret = "WALLBOARD_TYPED_SECRET"
	typedKey    = "WALLBOARD_TYPED_API_KEY"
)

// parseUnwritten parses the text of a configuration that will be written to path. typed has the
// values of made-up environment variables.
func parseUnwritten(s *cmdutil.Setup, text, path string, demo bool, typed map[string]string) (*config.Config, error) {
	o := s.Options()
	o.Demo = demo
	o.Getenv = func(name string) string {
		if value, ok := typed[name]; ok {
			return value
		}
		return os.Getenv(name)
	}
	return config.Parse(text, path, o)
}
