// Package command is what the commands of the program share: streams, exit codes, the
// way to the configuration and to a log that holds no secrets.
package command

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"

	"github.com/charmbracelet/x/term"

	"wallboard/config"
	"wallboard/secret"
)

// Exit codes.
const (
	ExitOK      = 0
	ExitFailed  = 1 // a failure; of an action: the platform refused it
	ExitUsage   = 2 // a wrong command line or configuration
	ExitNotSent = 3 // the request never left this machine
	ExitUnknown = 4 // the request may or may not have been carried out
)

// Streams are where a command reads and writes.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer

	Example string // the text of config.example.toml, which config init starts from
}

// OnTerminal reports whether there is a terminal to draw on, still.
func (s Streams) OnTerminal() bool {
	f, ok := s.Out.(term.File)
	return ok && term.IsTerminal(f.Fd())
}

// Setup is what all commands share: where they read and write, and how they come
// to the configuration.
type Setup struct {
	Streams  Streams
	Config   string                // the file that was named; "": the usual one
	Platform string                // of several, the only one that is wanted; "": none was named
	ReadOnly bool                  // nothing may act on the platform
	Still    bool                  // nothing on the screen moves or flashes
	JSON     bool                  // results as JSON
	Options  func() config.Options // what a configuration may name

	logging logging
	secrets secret.Redactor             // of every configuration that was read
	was     atomic.Pointer[fs.FileInfo] // of the file that was read last
	// named are the files that the configuration was read from besides its own.
	named atomic.Pointer[[]string]
}

// Load reads the configuration of one platform: where there are several, that of
// --platform.
func (s *Setup) Load(demo bool) (*config.Config, error) {
	o := s.Options()
	o.Demo = demo
	return s.LoadWith(o)
}

// LoadWith is Load where o says what the configuration may name.
func (s *Setup) LoadWith(o config.Options) (*config.Config, error) {
	c, err := s.read(o)
	if err == nil && c.Several() {
		return nil, Usage(WhichPlatform(c))
	}
	return c, err
}

// WhichPlatform asks for one of several platforms.
func WhichPlatform(c *config.Config) error {
	return fmt.Errorf("the configuration has several platforms; name one with --platform: %s", strings.Join(c.PlatformNames(), ", "))
}

// LoadEach reads the configuration of all platforms, or of that of --platform.
func (s *Setup) LoadEach(demo bool) (*config.Config, error) {
	o := s.Options()
	o.Demo = demo
	return s.read(o)
}

// LoadPlatform reads the configuration of a platform.
func (s *Setup) LoadPlatform(name string) (*config.Config, error) {
	o := s.Options()
	o.Platform = name
	return s.read(o)
}

func (s *Setup) read(o config.Options) (*config.Config, error) {
	if info, err := os.Stat(s.Path()); err == nil { // before it is read: a change meanwhile is one
		s.was.Store(&info)
	}
	o.Platform = cmp.Or(o.Platform, s.Platform)
	c, err := config.Load(s.Config, o)
	if err != nil {
		return nil, err //nolint:wrapcheck // config.Errors say everything
	}
	var named []string
	if c.Serve.CAFile != "" {
		named = append(named, c.Serve.CAFile)
	}
	s.named.Store(&named)
	s.secrets.Add(c.Secrets()...)
	for _, one := range append(c.Each(), c) {
		one.UI.Flash = one.UI.Flash && !s.Still
	}
	return c, nil
}

// ChangedSince reports whether the configuration is another file than that which was
// read last.
func (s *Setup) ChangedSince() bool {
	was := s.was.Load()
	now, err := os.Stat(s.Path())
	return was != nil && err == nil && (!os.SameFile(*was, now) || now.Size() != (*was).Size() || !now.ModTime().Equal((*was).ModTime()))
}

// Named returns the files, besides the configuration itself, that the configuration was
// read from last and that are to be watched.
func (s *Setup) Named() []string {
	if named := s.named.Load(); named != nil {
		return *named
	}
	return nil
}

// Path is where the configuration is.
func (s *Setup) Path() string { return cmp.Or(s.Config, config.DefaultPath()) }
