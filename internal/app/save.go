package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/config"
	"wallboard/internal/record"
)

// SaveDir returns the directory for saved files: the downloads directory if it exists, otherwise
// the working directory.
func SaveDir() string {
	if info, err := os.Stat(xdg.UserDirs.Download); err == nil && info.IsDir() {
		return xdg.UserDirs.Download
	}
	return "."
}

// SaveFile writes a file with mode 0600 and returns its path. It never overwrites a file: if the
// name is in use, it adds a number to the name.
func SaveFile(dir, name string, data []byte) (string, error) {
	return saveUnique(dir, name, func(path string) error {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // in the downloads directory, never over another file
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		if err = errors.Join(err, f.Close()); err != nil {
			_ = os.Remove(path) // an incomplete file must not remain
		}
		return err
	})
}

// saveUnique calls write with a path in dir and returns the path. If the file exists, write must
// return fs.ErrExist. saveUnique then adds a number to the name and tries again.
func saveUnique(dir, name string, write func(path string) error) (string, error) {
	const maxNumber = 1000
	name = filepath.Base(filepath.Clean(name))
	end := filepath.Ext(name)
	for i := 1; i <= maxNumber; i++ {
		candidate := name
		if i > 1 {
			candidate = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, end), i, end)
		}
		path, err := filepath.Abs(filepath.Join(dir, candidate))
		if err == nil {
			err = write(path)
		}
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("save: %w", err)
		}
		return path, nil
	}
	return "", fmt.Errorf("there are %d files called %s", maxNumber, name)
}

// SaveIncident writes the part of a recording between two times to a new file and returns the path
// of the file. It encrypts the file with the keys of the configuration for the names in this part.
// It closes the recording.
func SaveIncident(ctx context.Context, c *config.Config, r *record.Recording, from, to time.Time) (string, error) {
	about, _ := r.About(from, to)
	path, err := saveUnique(SaveDir(), "incident-"+from.Local().Format("2006-01-02-1504")+".wbr", func(path string) error {
		_, err := record.Export(ctx, r, from, to, path, nil, c.Privacy.RecipientSets(&c.Record, about.Names)...)
		return err
	})
	return path, errors.Join(err, r.Close())
}
