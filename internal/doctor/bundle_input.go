package doctor

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/record"
	"wallboard/model"
)

// BundleInput is the data from which a support bundle is made.
type BundleInput struct {
	Config        *config.Config  // nil: it cannot be read
	ConfigErr     error           // why Config cannot be read
	Findings      string          // report of the doctor; "": nothing was examined
	LastSnapshot  *model.Snapshot // last snapshot of the examination; nil: none
	Version       string          // describes the program, as JSON
	Created       time.Time
	OpenRecording func() (*record.Recording, error) // opens the configured recording
	LogVisit      func() error                      // adds a line about the recording to the log of visits
}

// maxBundledLog is the maximum number of bytes that a bundle contains from the end of the log.
const maxBundledLog = 512 << 10

// Bundle returns the bundle.
func (s *BundleInput) Bundle() *Bundle {
	b := &Bundle{}
	b.Hide(machineNames()...)
	if s.Config != nil {
		for _, c := range s.Config.PlatformConfigs() {
			b.HideSecrets(c.Secrets()...)
			b.Hide(ConfigurationTexts(c)...)
		}
	}
	if s.LastSnapshot != nil {
		b.Hide(SnapshotNames(s.LastSnapshot)...)
	}
	b.Add("version.json", "version, commit, Go and platform of the program, editions of the services", s.Version)
	if s.Findings == "" {
		b.AddOmission("findings of the doctor", "the configuration cannot be read")
	} else {
		b.AddExternal("findings.txt", "what the doctor found, without names", s.Findings)
	}
	s.addConfiguration(b)
	s.addLog(b)
	s.addHour(b)
	b.AddOmission("recordings, audit file, notes, alerts, stored dialects", "they contain names; send a part with `wallboard record export --names hidden` if you are asked to")
	b.AddOmission("files with secrets, certificates, host keys", "never in a bundle")
	b.AddOmission("environment, host name, user name, addresses", "not needed to understand a problem")
	return b
}

// machineNames returns the names of this machine and its user, and the path of the home directory.
func machineNames() []string {
	var names []string
	if host, err := os.Hostname(); err == nil {
		names = append(names, host)
	}
	if home, err := os.UserHomeDir(); err == nil && home != "/" {
		names = append(names, home)
	}
	if u, err := user.Current(); err == nil && u.Username != "root" {
		names = append(names, u.Username, u.Name)
	}
	return names
}

// addConfiguration adds the configuration with secrets masked. If the configuration is
// invalid, it adds the lines and keys of the errors instead.
func (s *BundleInput) addConfiguration(b *Bundle) {
	b.AddOmission("texts of the configuration, except words such as auth = \"login\"", "they may be names, addresses or secrets")
	var problems config.Errors
	switch {
	case s.Config != nil:
		for i, c := range s.Config.PlatformConfigs() {
			name := "configuration.txt"
			if i > 0 {
				name = fmt.Sprintf("configuration-%d.txt", i+1)
			}
			b.Add(name, "the settings that differ from their defaults; texts only as (set)", BundleConfiguration(c))
		}
	case errors.As(s.ConfigErr, &problems):
		b.Add("configuration.txt", "the lines and keys that have errors", BundleConfigurationErrors(problems))
	}
}

func (s *BundleInput) addLog(b *Bundle) {
	var log config.Log
	if s.Config != nil {
		log = s.Config.Log
	}
	if log.ToStderr() {
		b.AddOmission("log", "it goes to standard error; journalctl has it")
		return
	}
	text, err := readEnd(log.Path(), maxBundledLog)
	if err != nil {
		b.AddOmission("log", "there is none that can be read")
		return
	}
	kept, dropped := BundleLog(text)
	b.AddExternal("log.txt", "the end of the log; … is a value that may contain names", kept)
	b.AddOmission("values of log lines that are not numbers or words of the program", "servers quote names in errors")
	if dropped > 0 {
		b.AddOmission(fmt.Sprintf("%d lines of the log file", dropped), "they are not log lines")
	}
}

// readEnd returns the complete lines in the last n bytes of a file.
func readEnd(path string, n int64) (string, error) {
	f, err := securefile.OpenRegular(path)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // only read from
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	from := max(info.Size()-n, 0)
	raw, err := io.ReadAll(io.NewSectionReader(f, from, n))
	if i := bytes.IndexByte(raw, '\n'); from > 0 && i >= 0 {
		raw = raw[i+1:] // the beginning of the first line is missing
	}
	return string(raw), err
}

// addHour adds figures of the last recorded hour, and registers the names in the recording for hiding.
func (s *BundleInput) addHour(b *Bundle) {
	if s.Config == nil || !s.Config.Record.Enabled {
		b.AddOmission("figures of the last hour", "nothing is recorded ([record] enabled)")
		return
	}
	r, err := s.OpenRecording()
	if err != nil {
		b.AddOmission("figures of the last hour", "the recording cannot be read")
		return
	}
	defer r.Close() //nolint:errcheck // only read from
	info := r.Info()
	if err := s.LogVisit(); err != nil {
		b.AddOmission("a line in the log of visits", "it cannot be written")
	}
	for _, c := range info.About.Codes {
		b.Hide(c.Code, c.Name)
	}
	var newest *model.Snapshot
	snapshots := r.Replay(info.Last, 1, nil).SampledSnapshots(info.Last.Add(-time.Hour), info.Last, time.Minute, BundleHourTables()...)
	text, err := BundleHour(func(yield func(*model.Snapshot, error) bool) {
		for s, err := range snapshots {
			if err == nil {
				newest = s
			}
			if !yield(s, err) {
				return
			}
		}
	})
	if newest != nil {
		b.Hide(SnapshotNames(newest)...)
	}
	if err != nil {
		b.AddOmission("a part of the last hour", "the recording cannot be read completely")
	}
	if s.Created.Sub(info.Last) > time.Hour {
		b.AddOmission("the hour before this bundle", "the recording ends "+info.Last.UTC().Format(time.RFC3339))
	}
	b.Add("hour.csv", "figures of the whole floor in the last recorded hour, a line for each minute and channel", text)
}
