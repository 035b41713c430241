package admin

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/serve/cluster"
)

// createFile creates a file with mode 0600, to which [securefile.ShareWithService] may give a
// service access. It returns an error if the file exists.
func createFile(path, text string) error {
	return createWith(path, text, securefile.ShareWithService)
}

// createPrivateFile creates a file with mode 0600. It returns an error if the file exists.
func createPrivateFile(path, text string) error {
	return createWith(path, text, func(*os.File) error { return nil })
}

func createWith(path, text string, setAccess func(*os.File) error) error {
	err := securefile.Create(path, func(f *os.File) error {
		_, err := f.WriteString(text)
		return errors.Join(err, setAccess(f))
	})
	if errors.Is(err, fs.ErrExist) {
		return app.ConfigError{Err: fmt.Errorf("%s exists already: --force overwrites it", path)}
	}
	return err
}

// replaceFile atomically writes a file that contains no secrets. An existing file keeps its
// mode, owner and group; a new file gets mode 0600.
func replaceFile(path, text string) error {
	if err := securefile.ReplaceKeeping(path, []byte(text)); err != nil {
		return fmt.Errorf("cannot write the file: %w", err)
	}
	return nil
}

// replaceSecretFile atomically writes a file that contains secrets. The file gets mode 0600 or
// is shared with a service, whatever mode it had before.
func replaceSecretFile(path, text string) error {
	if err := securefile.ReplaceByShared(path, []byte(text)); err != nil {
		return fmt.Errorf("cannot write the file: %w", err)
	}
	return nil
}

// CheckWritable returns an error if no file can be created at path, for example on a
// read-only file system. It creates and removes an empty file in the nearest existing directory.
func CheckWritable(path string) error {
	dir := filepath.Dir(path)
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	f, err := os.CreateTemp(dir, ".wallboard-*")
	if err != nil {
		if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
			err = failed.Err // the name of the empty file would confuse
		}
		return fmt.Errorf("cannot write to %s: %w", dir, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

type undoList []func() error

// run calls all functions of the list, the last one first, and returns their errors.
func (u undoList) run() error {
	var errs []error
	for _, undo := range slices.Backward(u) {
		errs = append(errs, undo())
	}
	return errors.Join(errs...)
}

// removeFile adds the removal of a file or an empty directory to the list.
func (u *undoList) removeFile(path string) {
	*u = append(*u, func() error {
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("left behind: %w", err)
		}
		return nil
	})
}

// createFolder creates a directory and its missing parents with mode 0700, and adds their
// removal to the list.
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

// writeOrUndo checks a configuration, creates the directory of path and calls write, which
// must write the configuration to path. After an error, it runs the steps in undo, including
// those added by write.
func writeOrUndo(path string, c *config.Config, write func(undo *undoList) error) error {
	if err := CheckConfig(c, false); err != nil {
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

// typedSecretVariable and typedKeyVariable are the names of invented environment variables. They pass secrets
// that the user has typed to the parser before these secrets are stored.
const (
	typedSecretVariable = "WALLBOARD_TYPED_SECRET"
	typedKeyVariable    = "WALLBOARD_TYPED_API_KEY"
)

// parseDraftText parses the text of a configuration that will be written to path. typed maps
// invented environment variables to typed secrets.
func parseDraftText(options func() config.Options, text, path string, demo bool, typed map[string]string) (*config.Config, error) {
	o := options()
	o.Demo = demo
	o.Getenv = func(name string) string {
		if value, ok := typed[name]; ok {
			return value
		}
		return os.Getenv(name)
	}
	return config.Parse(text, path, o)
}

// CheckConfig checks those settings that only the cluster and the client of the configuration
// service can check. If demo is true it does not check the latter, because the simulator replaces the
// services.
func CheckConfig(c *config.Config, demo bool) error {
	if c.Cluster.Enabled() {
		if err := cluster.CheckBuild(c.Cluster.Servers); err != nil {
			file, line := c.Place("cluster.name")
			return config.Errors{{File: file, Line: line, Key: "cluster.name", Problem: err.Error()}}
		}
	}
	for _, platform := range c.PlatformConfigs() {
		if demo || !platform.REST.IsConfigured() {
			continue
		}
		client, err := app.NewRESTClient(platform, slog.New(slog.DiscardHandler))
		if err != nil {
			return app.ConfigError{Err: err}
		}
		client.Close()
	}
	return nil
}
