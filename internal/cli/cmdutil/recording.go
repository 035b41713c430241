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
	"wallboard/internal/control/audit"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/record"
	"wallboard/model"
)

// RecordingSelection opens the recording that the arguments and flags of a command select. An
// opened recording contains a single platform. Each opening adds a line to the log of visits.
type RecordingSelection struct {
	platform string
	command  string // name of the command
	keyFiles []string
}

// AddFlags adds two flags to a command: --of selects the platform of the recording, and --key-file
// names a file with a private key.
func (w *RecordingSelection) AddFlags(cmd *cobra.Command) {
	w.command = cmd.Name()
	cmd.Flags().StringVar(&w.platform, "of", "", "use the recordings of this platform, as named by `record ls`, if a folder has several (default the configured one)")
	cmd.Flags().StringArrayVar(&w.keyFiles, "key-file", nil, "file with a private key, of age or SSH, for encrypted recordings (default: record.key_files)")
}

// ShellArguments returns the arguments that make another command open the recording that this
// command opened with args. They are quoted for a shell.
func (w *RecordingSelection) ShellArguments(setup *Setup, args []string) string {
	words := slices.Clone(args)
	for _, flag := range [][2]string{{"--of", w.platform}, {"--config", setup.ConfigPath}, {"--platform", setup.Platform}} {
		if flag[1] != "" {
			words = append(words, flag[0], flag[1])
		}
	}
	for i := range words {
		words[i] = textnorm.QuoteShellWord(words[i])
	}
	return strings.Join(words, " ")
}

// PlatformDisplayName returns name, the name of a recording's platform, without control
// characters. It returns "(not named)" if nothing is left.
func PlatformDisplayName(name string) string {
	return cmp.Or(model.CleanText(name, model.MaxName), "(not named)")
}

// Open opens the file or directory in args, or the configured directory if args is empty. It
// reads the configuration only if it needs it.
func (w *RecordingSelection) Open(setup *Setup, args []string) (*record.Recording, error) {
	if len(args) == 0 {
		c, err := setup.Load(true)
		if err != nil {
			return nil, err
		}
		return w.OpenWithConfig(setup.Streams, c, nil)
	}
	var c config.Config
	if loaded, err := setup.LoadAll(true); err == nil {
		c = *loaded
	}
	return w.OpenWithConfig(setup.Streams, &c, args)
}

// OpenWithConfig is like [RecordingSelection.Open], but uses c instead of reading the
// configuration.
func (w *RecordingSelection) OpenWithConfig(s Streams, c *config.Config, args []string) (*record.Recording, error) {
	if len(w.keyFiles) == 0 {
		w.keyFiles = c.Record.KeyFiles
	}
	r, err := w.open(s, c, args)
	if err != nil {
		return nil, err
	}
	path := c.Record.Folder()
	if len(args) > 0 {
		path = args[0]
	}
	visit := audit.Intent{Action: audit.ViewerActions + cmp.Or(w.command, "recording"), Target: path}
	if err := audit.Append(c.Audit.VisitsOptions(c, nil), visit); err != nil {
		_ = Printf(s.Err, "cannot write to the log of visits that this recording was opened: %v\n", err) // the recording is opened anyway
	}
	return r, nil
}

// open opens the file or directory in args, or the configured directory if args is empty.
func (w *RecordingSelection) open(s Streams, c *config.Config, args []string) (*record.Recording, error) {
	if len(args) > 0 {
		return w.openPath(s, args[0], func() []string { return recordingPlatforms(c) })
	}
	dir, platform := c.Record.Folder(), c.RTD.RecordingPlatform()
	if platform == "" || w.platform != "" {
		r, err := w.openPath(s, dir, func() []string { return nil })
		if errors.Is(err, fs.ErrNotExist) {
			err = ErrNoRecordings(dir)
		}
		return r, err
	}
	others := make(map[string]int)
	r, err := record.OpenFiltered(dir, func(a record.About) bool {
		if a.Platform != platform {
			others[PlatformDisplayName(a.Platform)]++
		}
		return a.Platform == platform
	}, w.keyFiles...)
	switch {
	case err == nil:
		r.SetFilter(ofPlatform(platform)) // for files that are recorded later
		return r, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case len(others) > 0:
		return nil, fmt.Errorf("the recordings in %s are not those of the configured platform %s: select one with --of: %s", dir, platform, platformList(others))
	}
	return nil, ErrNoRecordings(dir)
}

// ErrNoRecordings returns the error for a directory without recordings.
func ErrNoRecordings(dir string) error {
	return fmt.Errorf("no recording in %s: enable it in [record] of the configuration", dir)
}

// recordingPlatforms returns the names that recordings use for the configured platforms.
func recordingPlatforms(c *config.Config) (all []string) {
	for _, platform := range c.PlatformConfigs() {
		if name := platform.RTD.RecordingPlatform(); name != "" {
			all = append(all, name)
		}
	}
	return all
}

// openPath opens the recording in a file or directory. If a directory contains recordings of
// several platforms, openPath opens those of the platform in --of or, without --of, those of
// the only configured platform among them. If there is no such platform, it returns an error.
// configured returns the configured platforms.
func (w *RecordingSelection) openPath(s Streams, path string, configured func() []string) (*record.Recording, error) {
	found, files := make(map[string]int), make(map[string]int)
	r, err := record.OpenFiltered(path, func(a record.About) bool {
		found[a.Platform]++
		files[PlatformDisplayName(a.Platform)]++
		return w.platform == "" || PlatformDisplayName(a.Platform) == w.platform
	}, w.keyFiles...)
	switch {
	case w.platform != "" && errors.Is(err, fs.ErrNotExist) && len(files) > 0:
		return nil, NewUsageError(fmt.Errorf("--of: %s has no recording of %s, only of %s", path, w.platform, platformList(files)))
	case err != nil:
		return nil, err
	case w.platform != "":
		called := w.platform
		r.SetFilter(func(a record.About) bool { return PlatformDisplayName(a.Platform) == called })
		return r, nil
	case len(found) < 2:
		for platform := range found {
			r.SetFilter(ofPlatform(platform))
		}
		return r, nil
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	matching := slices.DeleteFunc(configured(), func(name string) bool { return found[name] == 0 })
	if len(matching) != 1 {
		return nil, NewUsageError(fmt.Errorf("%s holds recordings of several platforms; name one with --of: %s", path, platformList(files)))
	}
	delete(files, PlatformDisplayName(matching[0]))
	if err := Printf(s.Err, "of %s, the platform of the configuration; left out: %s\n", matching[0], platformList(files)); err != nil {
		return nil, err
	}
	return record.OpenFiltered(path, ofPlatform(matching[0]), w.keyFiles...)
}

// ofPlatform returns a filter that accepts only recordings of the given platform.
func ofPlatform(platform string) func(record.About) bool {
	return func(a record.About) bool { return a.Platform == platform }
}

// platformList returns a string that lists platforms, each with its number of files.
func platformList(files map[string]int) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		suffix := " files)"
		if files[name] == 1 {
			suffix = " file)"
		}
		all = append(all, fmt.Sprintf("%s (%d%s", name, files[name], suffix))
	}
	return strings.Join(all, ", ")
}
