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

	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/textnorm"
)

// maxFileBytes limits the size of a configuration file or certificate file in bytes.
const maxFileBytes = 1 << 20

// Options configures the reading of a configuration. The zero value is ready to use.
type Options struct {
	// Demo means that the simulator replaces the platform. The default file and the address may be
	// missing, and no secrets are resolved except the token of [marks].
	Demo bool
	// RESTOnly means that only the configuration service is used. [rtd] is not checked, and its
	// secrets are not resolved.
	RESTOnly bool
	// Platform is the name of the platform to select if there are several. "" selects all
	// platforms.
	Platform string
	// Themes lists the allowed themes. An empty list allows every name.
	Themes []string
	// Pages lists the standard pages, which ui.page and page.builtin may name. An empty list allows
	// every name.
	Pages []string
	// PageKeys lists the keys that a page may have. An empty list allows every key.
	PageKeys []string
	// CheckKeys checks the keys of actions in [keys] and returns the problems by action. If it is
	// nil, the keys are not checked.
	CheckKeys func(changed map[string]string) map[string]error
	// CheckPublicKey checks a public SSH key. If it is nil, keys are not checked.
	CheckPublicKey func(line string) error
	// Panes lists the kinds of panes. An empty list allows every kind.
	Panes []PaneKind
	// RESTOperations lists the operations of the configuration service that rest.paths may name. An
	// empty list allows every name.
	RESTOperations []string
	// HistoryOperations lists the operations of the statistical data service that history.names may
	// name. An empty list allows every name.
	HistoryOperations []string
	// Getenv returns the value of an environment variable. Nil means [os.Getenv].
	Getenv func(name string) string
	// Keyring returns a secret from the keyring of the operating system, or keyring.ErrNotFound if
	// it is missing. Nil means keyring.Get.
	Keyring func(service, user string) (string, error)
}

func (o Options) getenv(name string) string {
	if o.Getenv == nil {
		return os.Getenv(name)
	}
	return o.Getenv(name)
}

// keyringTimeout limits how long the program waits for the keyring. A locked keyring opens a
// dialog, possibly on an unattended screen.
const keyringTimeout = 20 * time.Second

// errNoKeyringAnswer means that the keyring did not answer in time.
var errNoKeyringAnswer = errors.New("it is locked or does not answer")

// keyringInUse is full while a request to the keyring is running. Only one request runs at a time.
// A request without an answer continues after its timeout. A second request would open the dialog
// again.
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

// Load reads the configuration file at path and the files in conf.d beside it. If path is "", it
// reads the file at [DefaultPath]. The error is of type [Errors].
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
		return nil, Errors{{File: path, Problem: "cannot be read: " + securefile.WithoutPath(err).Error(), Remedy: "name a readable file with --config"}}
	}
	// The file determines where secrets are sent and which programs run, so it must be protected
	// from changes by other users.
	r := newReport(path, nil)
	r.checkExposure("", path)
	files := []sourceFile{{configFile{path: path, dir: filepath.Dir(path), notPrivate: problem}, text}}
	paths, err := DropInPaths(path)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		r.file = p
		text, problem, err := readConfig(p)
		if err != nil {
			r.problems = append(r.problems, Problem{File: p, Problem: "cannot be read: " + securefile.WithoutPath(err).Error(), Remedy: "make it readable, or remove it"})
			continue
		}
		r.checkExposure("", p)
		files = append(files, sourceFile{configFile{path: p, notPrivate: problem}, text})
	}
	r.file = path
	if err := r.err(); err != nil {
		return nil, err
	}
	return parseFiles(files, o)
}

// Parse parses text, the content of a configuration file. Relative names in it are relative to the
// directory of path. The text may contain secrets, so the caller must write it only to a private
// file. The error is of type [Errors].
func Parse(text, path string, o Options) (*Config, error) {
	return parse(text, configFile{path: path, dir: filepath.Dir(path)}, o)
}

// ParseFiles is like [Parse] but for several files. texts maps the path of the configuration file
// and the paths of files in conf.d to the contents.
func ParseFiles(path string, texts map[string]string, o Options) (*Config, error) {
	files := []sourceFile{{configFile{path: path, dir: filepath.Dir(path)}, texts[path]}}
	for _, p := range slices.Sorted(maps.Keys(texts)) {
		if p != path {
			files = append(files, sourceFile{configFile{path: p}, texts[p]})
		}
	}
	return parseFiles(files, o)
}

// readConfig reads the configuration file. problem is the reason why the file must not contain a
// secret, or nil if it may contain one.
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

// errNoWriter means that the file is a pipe to which no process writes.
var errNoWriter = errors.New("it is a pipe without a writer")

func parse(text string, file configFile, o Options) (*Config, error) {
	return parseFiles([]sourceFile{{file, text}}, o)
}

// parseFiles returns the configuration in the given files. Relative names are relative to the
// directory of the first file. If there are several platforms, o.Platform selects one.
func parseFiles(files []sourceFile, o Options) (*Config, error) {
	merged, err := mergeFiles(files)
	if err != nil {
		return nil, err
	}
	tree, file := merged.tree, files[0].configFile
	r := newReport(file.path, merged.lines)
	r.files = merged.files
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
	// Each platform records the old names in the tables that all platforms share, so duplicates are
	// removed below.
	slices.SortFunc(r.oldNames, r.compare)
	c.loaded.places = r.places
	for i := range files {
		c.loaded.files = append(c.loaded.files, files[i].path)
	}
	c.loaded.secretFiles, c.loaded.oldNames = r.secretFiles, slices.Compact(r.oldNames)
	return c, nil
}

// readPlatform returns the configuration of one platform. tree holds the tables of the file, with
// [rtd], [rest] and [history] replaced with the platform's own tables.
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
	c.History.apiKeySources().resolveIfNeeded(r, file, o, "", c.History.IsConfigured())
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
	if c.Audit.Heads != "" {
		c.Audit.Heads = pathInDir(file.dir, c.Audit.Heads)
	}
	if c.Record.Dir != "" {
		c.Record.Dir = pathInDir(file.dir, c.Record.Dir)
	}
	for i, path := range c.Record.KeyFiles {
		c.Record.KeyFiles[i] = pathInDir(file.dir, path)
		r.secretFiles = append(r.secretFiles, c.Record.KeyFiles[i])
	}
	for _, path := range []*string{&c.Serve.HostKeyFile, &c.Serve.Web.CertFile, &c.Serve.Web.KeyFile} {
		if *path != "" {
			*path = pathInDir(file.dir, *path)
		}
	}
	if c.Serve.CAFile != "" {
		c.Serve.CAFile = pathInDir(file.dir, c.Serve.CAFile)
		c.Serve.loadAuthorities()
	}
	switch c.Log.File {
	case "":
	case stderr, "/dev/stderr": // the target of the link /dev/stderr may not open again
		c.Log.File = stderr
	default:
		c.Log.File = pathInDir(file.dir, c.Log.File)
	}
	return &c
}
