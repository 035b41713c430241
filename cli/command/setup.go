// Package command is what the commands of the program share: streams, exit codes, the
// way to the configuration and to a log that holds no secrets.
package command

import (
	"cmp"
	"io"
	"io/fs"
	"os"
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

// Setup is what all commands share: where they read and write, and how they come
// to the configuration.
type Setup struct {
	Streams  Streams
	Config   string                // the file that was named; "": the usual one
	ReadOnly bool                  // nothing may act on the platform
	Still    bool                  // nothing on the screen moves or flashes
	JSON     bool                  // results as JSON
	Options  func() config.Options // what a configuration may name

	secrets secret.Redactor             // of every configuration that was read
	read    atomic.Pointer[fs.FileInfo] // of the file that was read last
}

// Load reads the configuration.
func (s *Setup) Load(demo bool) (*config.Config, error) {
	o := s.Options()
	o.Demo = demo
	return s.LoadWith(o)
}

// LoadWith reads the configuration; o says what it may name.
func (s *Setup) LoadWith(o config.Options) (*config.Config, error) {
	if info, err := os.Stat(s.Path()); err == nil { // before it is read: a change meanwhile is one
		s.read.Store(&info)
	}
	c, err := config.Load(s.Config, o)
	if err != nil {
		return nil, err //nolint:wrapcheck // config.Errors say everything
	}
	s.secrets.Add(c.Secrets()...)
	c.UI.Flash = c.UI.Flash && !s.Still
	return c, nil
}

// ChangedSince reports whether the configuration is another file than that which was
// read last.
func (s *Setup) ChangedSince() bool {
	was := s.read.Load()
	now, err := os.Stat(s.Path())
	return was != nil && err == nil && (!os.SameFile(*was, now) || now.Size() != (*was).Size() || !now.ModTime().Equal((*was).ModTime()))
}

// Path is where the configuration is.
func (s *Setup) Path() string { return cmp.Or(s.Config, config.DefaultPath()) }

// OnTerminal reports whether there is a terminal to draw on, still.
func (s *Setup) OnTerminal() bool {
	f, ok := s.Streams.Out.(term.File)
	return ok && term.IsTerminal(f.Fd())
}
