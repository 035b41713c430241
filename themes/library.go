package themes

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/textnorm"
)

//go:embed *.toml
var palettes embed.FS

// DefaultName is the name of the default theme.
const DefaultName = "dark"

// BasicName is the name of the embedded theme that uses only the sixteen colors of every color
// terminal.
const BasicName = "terminal-16"

const (
	fileExtension    = ".toml"
	maxFiles         = 100 // maximum number of files of one user
	maxNumberedLines = 500 // maximum length of a file for which problems have line numbers
)

// reservedName is the configured value that chooses between the themes dark and light. A theme must
// not have this name.
const reservedName = "auto"

// Library holds the available themes: the embedded ones and the user's. A user's theme replaces an
// embedded one with the same name. A Library is immutable.
type Library struct {
	sources sources
	themes  []Theme          // the valid themes, in alphabetical order
	broken  map[string]error // by the name of the theme
}

// OpenLibrary reads the themes of a user: the files *.toml of the directory dir, which may be missing. The
// name of a file is the name of its theme.
//
// The error joins the problems of all files. The library is valid even if there is an error; it then holds the
// themes without problems. The last library is cached until a file in its directory changes, because a server
// calls OpenLibrary at every login.
func OpenLibrary(dir string) (*Library, error) {
	return lastLibrary.open(dir, stampOf(dir))
}

// lastLibrary caches the library that was read last.
var lastLibrary cachedLibrary

// cachedLibrary caches a library until a file in its directory changes.
type cachedLibrary struct {
	mu    sync.Mutex
	stamp string // stamp of the files; "": nothing was read
	lib   *Library
	err   error
	reads int // counts how often the files were read, for tests
}

func (o *cachedLibrary) open(dir, stamp string) (*Library, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if stamp != "" && stamp == o.stamp {
		return o.lib, o.err
	}
	o.reads++
	userThemes, problems := readDir(dir)
	o.lib, o.err = embeddedLibrary(), nil
	if len(userThemes) > 0 || len(problems) > 0 {
		o.lib, o.err = newLibrary(userThemes, problems)
	}
	o.stamp = stamp
	return o.lib, o.err
}

// stampOf returns a string that changes when a file in the directory is added, removed or written.
// It returns "" if the directory or a file in it cannot be read, or if there are too many files.
func stampOf(dir string) string {
	found, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%q", dir)
	for i, entry := range found {
		info, err := os.Stat(filepath.Join(dir, entry.Name()))
		if err != nil || i > 10*maxFiles {
			return ""
		}
		fmt.Fprintf(&b, " %q %d %d %v", entry.Name(), info.Size(), info.ModTime().UnixNano(), info.Mode())
	}
	return b.String()
}

// embeddedLibrary returns the library without user themes. It is compiled only once, because every
// start and every change of the configuration needs it.
var embeddedLibrary = sync.OnceValue(func() *Library {
	l, _ := newLibrary(nil, nil) // the embedded themes have no problems
	return l
})

func newLibrary(userThemes map[string]*palette, problems []*Problem) (*Library, error) {
	l := &Library{sources: embeddedSources(), broken: make(map[string]error)}
	l.sources.userThemes = userThemes
	var errs []error
	if len(problems) > 0 {
		errs = append(errs, joinProblems(problems))
	}
	for _, name := range l.sources.names() {
		p := userThemes[name]
		if p == nil {
			p = l.sources.embedded[name]
		}
		t, err := l.sources.compile(p)
		if err != nil {
			l.broken[name] = err
			errs = append(errs, err)
			continue
		}
		l.themes = append(l.themes, t)
	}
	return l, errors.Join(errs...)
}

// Themes returns the valid themes in alphabetical order.
func (l *Library) Themes() []Theme { return slices.Clone(l.themes) }

// Names returns the names of the valid themes in alphabetical order.
func (l *Library) Names() []string {
	names := make([]string, len(l.themes))
	for i, t := range l.themes {
		names[i] = t.Name
	}
	return names
}

// BrokenNames returns the names of the themes with problems, in alphabetical order. [Library.Load]
// returns the problems of such a theme.
func (l *Library) BrokenNames() []string { return slices.Sorted(maps.Keys(l.broken)) }

// Load returns the theme with the given name. If the name is unknown, the error lists the known
// names. If the theme has problems, the error joins them.
func (l *Library) Load(name string) (Theme, error) {
	if err := l.broken[name]; err != nil {
		return Theme{}, fmt.Errorf("the theme %q cannot be used:\n%w", name, err)
	}
	for _, t := range l.themes {
		if t.Name == name {
			return t, nil
		}
	}
	return Theme{}, fmt.Errorf("there is no theme %q; there are %s", name, strings.Join(l.Names(), ", "))
}

// CheckFile compiles a file as if it were in the library, where it replaces a theme with the same
// name. The error joins the problems of the file.
func (l *Library) CheckFile(file string) (Theme, error) {
	p := readFile(file)
	s := l.sources
	s.userThemes = map[string]*palette{p.name: p}
	for name, other := range l.sources.userThemes {
		if name != p.name {
			s.userThemes[name] = other
		}
	}
	return s.compile(p)
}

// EmbeddedNames returns the names of the embedded themes in alphabetical order.
func EmbeddedNames() []string { return embeddedSources().names() }

// LoadEmbedded compiles the embedded theme with the given name. If the name is unknown, the error
// lists the known names.
func LoadEmbedded(name string) (Theme, error) {
	s := embeddedSources()
	p := s.embedded[name]
	if p == nil {
		return Theme{}, fmt.Errorf("there is no theme %q; there are %s", name, strings.Join(s.names(), ", "))
	}
	return s.compile(p)
}

// embeddedSources returns the palettes that are part of the program.
var embeddedSources = sync.OnceValue(func() sources {
	s := sources{embedded: make(map[string]*palette)}
	files, err := fs.Glob(palettes, "*"+fileExtension)
	if err != nil { // only a malformed pattern can fail
		return s
	}
	for _, file := range files {
		text, err := palettes.ReadFile(file)
		if err != nil { // the file is part of the program
			continue
		}
		p := readPalette(file, string(text))
		p.embedded, p.name = true, strings.TrimSuffix(file, fileExtension)
		s.embedded[p.name] = p
	}
	return s
})

// readDir reads the palettes of a directory and returns them by theme name. It also returns
// problems of the directory itself: it cannot be read, or has too many files. The problems of a
// file are in its palette.
func readDir(dir string) (map[string]*palette, []*Problem) {
	found, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []*Problem{{File: dir, Text: "cannot be read: " + withoutPath(err), Remedy: "it should be a directory that you may read"}}
	}
	userThemes := make(map[string]*palette)
	for _, entry := range found {
		if name := entry.Name(); !strings.HasSuffix(name, fileExtension) || strings.HasPrefix(name, ".") {
			continue
		}
		file := filepath.Join(dir, entry.Name())
		if len(userThemes) == maxFiles {
			return userThemes, []*Problem{{File: file, Text: "is one theme too many", Remedy: fmt.Sprintf("%d are read, in alphabetical order", maxFiles)}}
		}
		p := readFile(file)
		userThemes[p.name] = p
	}
	return userThemes, nil
}

// readFile reads the file of a user's theme. The theme has the name of the file. The palette
// contains all problems, including an error in reading the file.
func readFile(file string) *palette {
	text, err := securefile.ReadRegular(file, maxFileSize)
	if err != nil {
		return &palette{
			file: file, name: themeName(file),
			problems: []*Problem{{File: file, Text: "cannot be read: " + withoutPath(err), Remedy: "it should be a text file that you may read"}},
		}
	}
	p := readPalette(file, textnorm.DecodeText(text))
	name := themeName(file)
	switch {
	case !namePattern.MatchString(name):
		p.addProblem("", fmt.Sprintf("the file gives the theme the name %q", name), "rename it: "+nameRemedy)
	case name == reservedName:
		p.addProblem("", fmt.Sprintf("a theme cannot be called %q, which chooses between dark and light", name), "rename the file")
	case p.name != "" && p.name != name:
		p.addProblem("name", fmt.Sprintf("the file gives the theme the name %q", name), "take the line out, or rename the file")
	}
	p.name = name
	return p
}

func themeName(file string) string { return strings.TrimSuffix(filepath.Base(file), fileExtension) }

// withoutPath returns the message of a file system error without the path.
func withoutPath(err error) string {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		err = pathErr.Err
	}
	return err.Error()
}
