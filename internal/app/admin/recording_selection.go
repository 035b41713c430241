package admin

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/internal/record"
	"wallboard/model"
)

// DisplayName returns name, the name of a recording's platform, without control
// characters. It returns "(not named)" if nothing is left.
func DisplayName(name string) string {
	return cmp.Or(model.CleanText(name, model.MaxName), "(not named)")
}

// RecordingSelection selects a recording of a single platform. Each opening adds a line to the log of visits.
type RecordingSelection struct {
	Platform string   // name of the platform, as displayed; "": the configured one
	Command  string   // name of the command that opens the recording
	KeyFiles []string // files with private keys; nil: the configured ones
}

// Open opens the file or directory at path, or the configured directory if path is "". It adds the
// visit to the log of visits. It passes notes for the user to note.
func (w *RecordingSelection) Open(c *config.Config, path string, note func(text string)) (*record.Recording, error) {
	if len(w.KeyFiles) == 0 {
		w.KeyFiles = c.Record.KeyFiles
	}
	r, err := w.open(c, path, note)
	if err != nil {
		return nil, err
	}
	visit := audit.Intent{Action: audit.ViewerActionPrefix + cmp.Or(w.Command, "recording"), Target: cmp.Or(path, c.Record.Folder())}
	if err := audit.Append(c.Audit.VisitsOptions(c, nil), visit); err != nil {
		note("cannot write to the log of visits that this recording was opened: " + err.Error()) // the recording is opened anyway
	}
	return r, nil
}

func (w *RecordingSelection) open(c *config.Config, path string, note func(string)) (*record.Recording, error) {
	if path != "" {
		return w.openPath(path, func() []string { return recordingPlatforms(c) }, note)
	}
	dir, platform := c.Record.Folder(), c.RTD.RecordingPlatform()
	if platform == "" || w.Platform != "" {
		r, err := w.openPath(dir, func() []string { return nil }, note)
		if errors.Is(err, fs.ErrNotExist) {
			err = ErrNoRecording(dir)
		}
		return r, err
	}
	others := make(map[string]int)
	r, err := record.OpenFiltered(dir, func(a record.Metadata) bool {
		if a.Platform != platform {
			others[DisplayName(a.Platform)]++
		}
		return a.Platform == platform
	}, w.KeyFiles...)
	switch {
	case err == nil:
		r.SetFilter(platformFilter(platform)) // applies to files that are recorded later
		return r, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case len(others) > 0:
		return nil, fmt.Errorf("the recordings in %s are not those of the configured platform %s: select one with --of: %s", dir, platform, platformList(others))
	}
	return nil, ErrNoRecording(dir)
}

// ErrNoRecording returns the error for a directory without recordings.
func ErrNoRecording(dir string) error {
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
func (w *RecordingSelection) openPath(path string, configured func() []string, note func(string)) (*record.Recording, error) {
	found, files := make(map[string]int), make(map[string]int)
	r, err := record.OpenFiltered(path, func(a record.Metadata) bool {
		found[a.Platform]++
		files[DisplayName(a.Platform)]++
		return w.Platform == "" || DisplayName(a.Platform) == w.Platform
	}, w.KeyFiles...)
	switch {
	case w.Platform != "" && errors.Is(err, fs.ErrNotExist) && len(files) > 0:
		return nil, app.ConfigError{Err: fmt.Errorf("--of: %s has no recording of %s, only of %s", path, w.Platform, platformList(files))}
	case err != nil:
		return nil, err
	case w.Platform != "":
		called := w.Platform
		r.SetFilter(func(a record.Metadata) bool { return DisplayName(a.Platform) == called })
		return r, nil
	case len(found) < 2:
		for platform := range found {
			r.SetFilter(platformFilter(platform))
		}
		return r, nil
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	matching := slices.DeleteFunc(configured(), func(name string) bool { return found[name] == 0 })
	if len(matching) != 1 {
		return nil, app.ConfigError{Err: fmt.Errorf("%s holds recordings of several platforms; name one with --of: %s", path, platformList(files))}
	}
	delete(files, DisplayName(matching[0]))
	note(fmt.Sprintf("of %s, the platform of the configuration; left out: %s", matching[0], platformList(files)))
	return record.OpenFiltered(path, platformFilter(matching[0]), w.KeyFiles...)
}

// platformFilter returns a filter that accepts only recordings of the given platform.
func platformFilter(platform string) func(record.Metadata) bool {
	return func(a record.Metadata) bool { return a.Platform == platform }
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
