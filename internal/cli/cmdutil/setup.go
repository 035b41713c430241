// Package cmdutil contains what the commands share: streams, exit codes, the configuration, a
// log without secrets, and the output of results. Results are aligned tables for users or JSON
// for scripts; control characters from the platform are removed or escaped. The only goroutine
// of the package is that of [Streams.RestoreOnQuit].
package cmdutil

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/charmbracelet/x/term"

	"wallboard/internal/config"
	"wallboard/internal/lib/secret"
)

// Exit codes of the program.
const (
	ExitOK      = 0
	ExitFailed  = 1 // a failure; for an action: the platform refused the request
	ExitUsage   = 2 // a wrong command line or configuration
	ExitNotSent = 3 // no request was sent
	ExitUnknown = 4 // a request was sent, and its outcome is unknown
)

// Streams are the standard streams of a command.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer

	Example   string // content of config.example.toml, for the command config init
	Documents fs.FS  // pages of the documentation, for the command docs
}

// OnTerminal reports whether the output is a terminal. The result may change while the program
// runs, because the terminal may disappear.
func (s Streams) OnTerminal() bool {
	_, ok := TerminalOf(s.Out)
	return ok
}

// Width returns the width of the terminal in columns, or 0 if the output is not a terminal or
// the width is unknown.
func (s Streams) Width() int {
	f, ok := TerminalOf(s.Out)
	if !ok {
		return 0
	}
	width, _, _ := term.GetSize(f.Fd())
	return width
}

// Setup holds the streams and the global flags of a command.
type Setup struct {
	Streams       Streams
	ConfigPath    string                // configuration file; "": the default
	Platform      string                // selected platform; "": all
	ReadOnly      bool                  // no actions on the platform
	Language      string                // replaces ui.language; "": the configured one
	ReducedMotion bool                  // no flashing or movement on the screen
	JSON          bool                  // results as JSON
	Options       func() config.Options // names that a configuration may use

	logging    logState
	secrets    secret.Redactor               // secrets of all configurations read so far
	configInfo atomic.Pointer[[]fs.FileInfo] // describes the configuration files when they were last read
	// watchedFiles holds the additional files to watch for changes, as named by the last
	// configuration.
	watchedFiles atomic.Pointer[[]string]
}

// Load reads the configuration of a single platform. If the file describes several platforms,
// the flag --platform must select one. If demo is true, the platform is not contacted, so its
// settings may be missing.
func (s *Setup) Load(demo bool) (*config.Config, error) {
	o := s.Options()
	o.Demo = demo
	return s.LoadWith(o)
}

// LoadWith is like Load, with the given options.
func (s *Setup) LoadWith(o config.Options) (*config.Config, error) {
	c, err := s.readConfig(o)
	if err == nil && c.MultiPlatform() {
		return nil, NewUsageError(ErrNoPlatformSelected(c))
	}
	return c, err
}

// ErrNoPlatformSelected returns an error that asks the user to select one of the platforms of
// c with --platform.
func ErrNoPlatformSelected(c *config.Config) error {
	return fmt.Errorf("the configuration has several platforms; name one with --platform: %s", strings.Join(c.PlatformNames(), ", "))
}

// LoadAll reads the configuration of all platforms or, with --platform, of the selected one. demo
// has the same meaning as for [Setup.Load].
func (s *Setup) LoadAll(demo bool) (*config.Config, error) {
	o := s.Options()
	o.Demo = demo
	return s.readConfig(o)
}

// LoadPlatform reads the configuration of the named platform.
func (s *Setup) LoadPlatform(name string) (*config.Config, error) {
	o := s.Options()
	o.Platform = name
	return s.readConfig(o)
}

func (s *Setup) readConfig(o config.Options) (*config.Config, error) {
	info := s.statConfig() // before reading, so that a change during the reading is noticed
	s.configInfo.Store(&info)
	o.Platform = cmp.Or(o.Platform, s.Platform)
	c, err := config.Load(s.ConfigPath, o)
	if err != nil {
		return nil, err
	}
	files := []string{config.DropInDir(s.Path())}
	if c.Serve.CAFile != "" {
		files = append(files, c.Serve.CAFile)
	}
	s.watchedFiles.Store(&files)
	s.secrets.Add(c.Secrets()...)
	for _, platform := range append(c.PlatformConfigs(), c) {
		platform.UI.Flash = platform.UI.Flash && !s.ReducedMotion
		platform.UI.Language = cmp.Or(s.Language, platform.UI.Language)
	}
	return c, nil
}

// HasConfigChanged reports whether the configuration file, or a file in conf.d, has changed
// since the configuration was last read. It returns false if it was not read yet.
func (s *Setup) HasConfigChanged() bool {
	was := s.configInfo.Load()
	return was != nil && !slices.EqualFunc(*was, s.statConfig(), func(a, b fs.FileInfo) bool {
		return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
	})
}

// statConfig returns the [fs.FileInfo] of the configuration file and of the files in conf.d.
// It leaves out missing files.
func (s *Setup) statConfig() []fs.FileInfo {
	paths, _ := config.DropInPaths(s.Path()) // reading the configuration reports the error
	var out []fs.FileInfo
	for _, p := range append([]string{s.Path()}, paths...) {
		if info, err := os.Stat(p); err == nil {
			out = append(out, info)
		}
	}
	return out
}

// WatchedFiles returns the other files that affect the configuration, besides the configuration
// file and the files with secrets. A directory stands for the *.toml files in it.
func (s *Setup) WatchedFiles() []string {
	if files := s.watchedFiles.Load(); files != nil {
		return *files
	}
	return nil
}

// Path returns the path of the configuration file.
func (s *Setup) Path() string { return cmp.Or(s.ConfigPath, config.DefaultPath()) }
