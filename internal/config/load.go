package config

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/zalando/go-keyring"

	"wallboard/internal/lib/safedecode"
	"wallboard/internal/lib/textnorm"
)

// maxFileBytes is the maximum size of a configuration or certificate file in bytes.
const maxFileBytes = 1 << 20

// Options holds the options for reading a configuration. The zero value is ready to use.
type Options struct {
	// Demo means that the simulator replaces the platform: the default file may be missing,
	// the address may be missing, and no secret is looked up.
	Demo bool
	// RESTOnly means that only the configuration service is used: [rtd] is not checked, and the
	// secrets of [rtd] are not looked up.
	RESTOnly bool
	// Platform is the name of the platform to select, if there are several; "": all.
	Platform string
	// Themes lists the allowed themes; if empty, every name is allowed.
	Themes []string
	// Pages lists the standard pages, for ui.page and page.builtin; if empty, every name is
	// allowed.
	Pages []string
	// PageKeys lists the keys that a page may have; if empty, every key is allowed.
	PageKeys []string
	// CheckKeys checks the keys of actions that [keys] sets, and returns the problems by action.
	// nil: no check.
	CheckKeys func(changed map[string]string) map[string]string
	// CheckPublicKey checks a public SSH key; nil: no check.
	CheckPublicKey func(line string) error
	// Panes lists the kinds of panes; if empty, every kind is allowed.
	Panes []PaneKind
	// RESTOperations lists the operations of the configuration service, for rest.paths; if
	// empty, every name is allowed.
	RESTOperations []string
	// HistoryOperations lists the operations of the statistical data service, for history.names;
	// if empty, every name is allowed.
	HistoryOperations []string
	// Getenv returns an environment variable. nil: [os.Getenv].
	Getenv func(name string) string
	// Keyring returns a secret from the operating system's keyring, or keyring.ErrNotFound if the
	// secret is missing. nil: keyring.Get.
	Keyring func(service, user string) (string, error)
}

func (o Options) getenv(name string) string {
	if o.Getenv == nil {
		return os.Getenv(name)
	}
	return o.Getenv(name)
}

// keyringTimeout is how long the program waits for the keyring. A locked keyring opens a dialog,
// which may be on a screen that no one sees.
const keyringTimeout = 20 * time.Second

// errNoKeyringAnswer means that the keyring did not answer in time.
var errNoKeyringAnswer = errors.New("it is locked or does not answer")

// keyringInUse is full while a request to the keyring is running. Only one runs at a time: an
// unanswered request continues after its timeout, and another would show the dialog again.
var keyringInUse = make(chan struct{}, 1)

func (o Options) keyring(service, user string) (string, error) {
	get := o.Keyring
	if get == nil {
		get = keyring.Get
	}
	inUse, late := keyringInUse, time.After(keyringTimeout)
	select {
	case inUse <- struct{}{}:
	case <-late:
		return "", errNoKeyringAnswer
	}
	var value string
	var err error
	done := make(chan struct{})
	go func() {
		value, err = get(service, user)
		<-inUse
		close(done)
	}()
	select {
	case <-done:
		return value, err
	case <-late:
		return "", errNoKeyringAnswer
	}
}

// Load reads the configuration file at path, or at [DefaultPath] if path is "". Its error is of
// type [Errors].
func Load(path string, o Options) (*Config, error) {
	atDefault := path == ""
	if atDefault {
		path = DefaultPath()
	}
	text, problem, err := readConfig(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && atDefault && o.Demo:
		c := Default()
		return &c, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, Errors{{
			File: path, Problem: "there is no configuration file",
			Remedy: "run `wallboard setup` in a terminal, or `wallboard config init --url ADDRESS --user NAME`, to create one; `wallboard demo` needs none",
		}}
	case err != nil:
		return nil, Errors{{File: path, Problem: "cannot be read: " + errorWithoutPath(err), Remedy: "name a readable file with --config"}}
	}
	// The file decides where secrets are sent and which programs are run, so other users must not
	// be able to change it.
	r := newReport(path, nil)
	if r.checkExposure("", path); r.err() != nil {
		return nil, r.err()
	}
	return parse(text, configFile{path: path, dir: filepath.Dir(path), notPrivate: problem}, o)
}

// Parse parses the text of a configuration file. Relative names in the text are looked up next to
// path. Parse accepts secrets in the text, so the caller must write it only to a private file. Its
// error is of type [Errors].
func Parse(text, path string, o Options) (*Config, error) {
	return parse(text, configFile{path: path, dir: filepath.Dir(path)}, o)
}

// readConfig reads the configuration file. problem says why the file may not contain a secret; it
// is nil if the file may.
func readConfig(path string) (text string, problem *accessError, err error) {
	f, err := openNonblocking(path)
	if err != nil {
		return "", nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	info, err := f.Stat()
	if err != nil {
		return "", nil, err
	}
	raw, err := readAtMost(f, maxFileBytes)
	if err == nil && len(raw) == 0 && info.Mode()&fs.ModeNamedPipe != 0 {
		err = errNoWriter
	}
	return textnorm.DecodeText(raw), checkAccess(path, info, ownerOnly), err
}

// errNoWriter means that the file is a pipe into which no process writes.
var errNoWriter = errors.New("it is a pipe without a writer")

// parse returns the configuration that the text of a file describes, for the platform in o if the
// file has several.
func parse(text string, file configFile, o Options) (*Config, error) {
	var tree map[string]any
	if err := safedecode.DecodeTOML(text, &tree); err != nil {
		return nil, Errors{syntaxProblem(file.path, err)}
	}
	r := newReport(file.path, safedecode.FindLines(text))
	var c *Config
	if list := r.decodePlatforms(tree); len(list) > 0 {
		c = r.readPlatforms(list, tree, file, o)
	} else {
		tables := maps.Clone(tree)
		delete(tables, "platform") // the list of platforms is empty
		c = r.readPlatform(tables, nil, file, o)
	}
	c = c.selectPlatform(r, o.Platform)
	if err := r.err(); err != nil {
		return nil, err
	}
	c.loaded.secretFiles, c.loaded.oldNames = r.secretFiles, slices.Compact(r.oldNames)
	return c, nil
}

// readPlatform returns the configuration of one platform. tree holds the tables of the file, with
// the platform's own tables in place of [rtd], [rest] and [history].
func (r *report) readPlatform(tree map[string]any, platforms []Platform, file configFile, o Options) *Config {
	c := Default()
	c.Platforms = platforms
	r.decodeTable("", tree, reflect.ValueOf(&c).Elem())
	c.renameAlertsPage(r)
	c.check(r, o)
	if !o.RESTOnly {
		c.RTD.resolveSecrets(r, file, o)
		c.RTD.loadCA(r, "rtd", file.dir)
	}
	c.REST.resolveSecrets(r, file, o)
	c.REST.loadCA(r, "rest", file.dir)
	c.History.resolveSecrets(r, file, o)
	c.History.loadCA(r, "history", file.dir)
	c.Serve.resolveSecrets(r, &c.REST, file, o)
	c.Cluster.loadFiles(r, file.dir)
	c.resolveMarks(r, file, o)
	for i := range c.Notify {
		c.Notify[i].resolveSecrets(r, elementKey("notify", i), file, o)
	}
	if c.Audit.File != "" {
		c.Audit.File = pathInDir(file.dir, c.Audit.File)
	}
	if c.Record.Dir != "" {
		c.Record.Dir = pathInDir(file.dir, c.Record.Dir)
	}
	if c.Serve.HostKeyFile != "" {
		c.Serve.HostKeyFile = pathInDir(file.dir, c.Serve.HostKeyFile)
	}
	if c.Serve.CAFile != "" {
		c.Serve.CAFile = pathInDir(file.dir, c.Serve.CAFile)
		c.Serve.loadAuthorities()
	}
	switch c.Log.File {
	case "":
	case stderr, "/dev/stderr": // the target of the link /dev/stderr may not be openable again
		c.Log.File = stderr
	default:
		c.Log.File = pathInDir(file.dir, c.Log.File)
	}
	return &c
}
