package cmdutil

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"wallboard/internal/config"
	"wallboard/internal/record"
	"wallboard/model"
)

// Selection selects a recording. It never mixes platforms.
type Selection struct{ of string }

// Flags adds the flag to a command.
func (w *Selection) Flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&w.of, "of", "", "use the recordings of this platform, as named by `record ls`, if a folder has several (default the configured one)")
}

// Platform returns the display name of a recording's platform.
func Platform(name string) string {
	return cmp.Or(model.CleanText(name, model.MaxName), "(not named)")
}

// Open opens the named file or folder, or else the configured folder. The configuration is
// read only if needed.
func (w *Selection) Open(setup *Setup, args []string) (*record.Recording, error) {
	if len(args) == 0 {
		c, err := setup.Load(true)
		if err != nil {
			return nil, err
		}
		return w.OpenBy(setup.Streams, c, nil)
	}
	return w.named(setup.Streams, args[0], func() []string {
		c, err := setup.LoadEach(true)
		if err != nil {
			return nil // the error below says what to do
		}
		return platforms(c)
	})
}

// OpenBy is Open with a configuration that has been read.
func (w *Selection) OpenBy(s Streams, c *config.Config, args []string) (*record.Recording, error) {
	if len(args) > 0 {
		return w.named(s, args[0], func() []string { return platforms(c) })
	}
	dir, own := c.Record.Folder(), c.RTD.Platform()
	if own == "" || w.of != "" {
		r, err := w.named(s, dir, func() []string { return nil })
		if errors.Is(err, fs.ErrNotExist) {
			err = None(dir)
		}
		return r, err
	}
	others := make(map[string]int)
	r, err := record.OpenFiltered(dir, func(a record.About) bool {
		if a.Platform != own {
			others[Platform(a.Platform)]++
		}
		return a.Platform == own
	})
	switch {
	case err == nil:
		r.SetFilter(of(own)) // also for files that are recorded later
		return r, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case len(others) > 0:
		return nil, fmt.Errorf("the recordings in %s are not those of the configured platform %s: select one with --of: %s", dir, own, listed(others))
	}
	return nil, None(dir)
}

// None returns the error for an empty folder.
func None(dir string) error {
	return fmt.Errorf("no recording in %s: enable it in [record] of the configuration", dir)
}

// platforms returns the names of the configured platforms as recordings call them.
func platforms(c *config.Config) (all []string) {
	for _, one := range c.Each() {
		if name := one.RTD.Platform(); name != "" {
			all = append(all, name)
		}
	}
	return all
}

// named opens a file or folder. In a folder with several platforms it opens the one of the
// flag, else the only one that own returns, else it returns an error.
func (w *Selection) named(s Streams, path string, own func() []string) (*record.Recording, error) {
	found, files := make(map[string]int), make(map[string]int)
	r, err := record.OpenFiltered(path, func(a record.About) bool {
		found[a.Platform]++
		files[Platform(a.Platform)]++
		return w.of == "" || Platform(a.Platform) == w.of
	})
	switch {
	case w.of != "" && errors.Is(err, fs.ErrNotExist) && len(files) > 0:
		return nil, Usage(fmt.Errorf("--of: nothing in %s is of %s, but of %s", path, w.of, listed(files)))
	case err != nil:
		return nil, err
	case w.of != "":
		called := w.of
		r.SetFilter(func(a record.About) bool { return Platform(a.Platform) == called })
		return r, nil
	case len(found) < 2:
		for platform := range found {
			r.SetFilter(of(platform))
		}
		return r, nil
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	mine := slices.DeleteFunc(own(), func(name string) bool { return found[name] == 0 })
	if len(mine) != 1 {
		return nil, Usage(fmt.Errorf("%s holds recordings of several platforms; name one with --of: %s", path, listed(files)))
	}
	delete(files, Platform(mine[0]))
	if _, err := fmt.Fprintf(s.Err, "of %s, the platform of the configuration; left out: %s\n", mine[0], listed(files)); err != nil {
		return nil, WriteError(err)
	}
	return record.OpenFiltered(path, of(mine[0]))
}

// of returns a filter for the recordings of a platform.
func of(platform string) func(record.About) bool {
	return func(a record.About) bool { return a.Platform == platform }
}

// listed lists platforms with their numbers of files.
func listed(files map[string]int) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		what := " files)"
		if files[name] == 1 {
			what = " file)"
		}
		all = append(all, fmt.Sprintf("%s (%d%s", name, files[name], what))
	}
	return strings.Join(all, ", ")
}
