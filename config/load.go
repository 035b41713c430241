package config

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"

	"github.com/zalando/go-keyring"

	"wallboard/internal/tomlbound"
	"wallboard/internal/typed"
)

// maxFile is the largest configuration or certificate file in bytes.
const maxFile = 1 << 20

// Options is what a configuration is read with. The zero value is ready to use.
type Options struct {
	// Demo says that the simulator stands in for the platform: the file may be
	// missing at its default place, the address may be missing, and no secret
	// is looked up.
	Demo bool
	// RESTOnly says that nothing but the configuration service is asked: what is
	// wrong with the values of [rtd] does not matter then, and no secret of it is
	// looked up.
	RESTOnly bool
	// Platform is the name of the only one of several platforms that is wanted; "": all
	// are.
	Platform string
	// Themes are the themes that ui.theme may name; if empty, every name goes.
	Themes []string
	// Pages are the standard pages, which ui.page and page.builtin may name; if
	// empty, every name goes.
	Pages []string
	// PageKeys are the keys that a page may have; if empty, every key goes.
	PageKeys []string
	// Keys says what is wrong with the keys of [keys], by the names of the actions;
	// nil: nothing ever is.
	Keys func(changed map[string]string) map[string]string
	// PublicKey says what is wrong with a public key of SSH; nil: nothing ever is.
	PublicKey func(line string) error
	// Panes are the kinds of panes that a page may have; if empty, every kind goes.
	Panes []PaneKind
	// Operations are the operations of the configuration service that
	// rest.paths may name; if empty, every name goes.
	Operations []string
	// Statistics are the operations of the statistical data service that
	// history.names may name; if empty, every name goes.
	Statistics []string
	// Getenv returns an environment variable; nil is os.Getenv.
	Getenv func(name string) string
	// Keyring returns a secret of the operating system's keyring, or an error
	// that is keyring.ErrNotFound if there is none; nil is keyring.Get.
	Keyring func(service, user string) (string, error)
}

func (o Options) getenv(name string) string {
	if o.Getenv == nil {
		return os.Getenv(name)
	}
	return o.Getenv(name)
}

func (o Options) keyring(service, user string) (string, error) {
	if o.Keyring == nil {
		return keyring.Get(service, user) //nolint:wrapcheck // the caller says what it was for
	}
	return o.Keyring(service, user)
}

// Load reads the configuration file at path, or at [DefaultPath] if path is "".
// The error, if any, is [Errors].
func Load(path string, o Options) (*Config, error) {
	atDefault := path == ""
	if atDefault {
		path = DefaultPath()
	}
	text, closed, err := readConfig(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && atDefault && o.Demo:
		c := Default()
		return &c, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, Errors{{
			File: path, Problem: "there is no configuration file",
			Remedy: "run `wallboard config init --url ADDRESS --user NAME` to have one written, or `wallboard demo` to look around without one",
		}}
	case err != nil:
		return nil, Errors{{File: path, Problem: "cannot be read: " + reason(err), Remedy: "name a readable file with --config"}}
	}
	// It says where the secrets go and what is run: who can write it has both.
	r := newReport(path, nil)
	if r.exposed("", path); r.err() != nil {
		return nil, r.err()
	}
	return parse(text, origin{path: path, dir: filepath.Dir(path), private: closed}, o)
}

// Parse reads the text of a configuration file that is to stand at path, with
// secrets in it only if it will be private there. The error, if any, is
// [Errors].
func Parse(text, path string, o Options) (*Config, error) {
	return parse(text, origin{path: path, dir: filepath.Dir(path)}, o)
}

// readConfig reads the file, and says why it may not hold a secret.
func readConfig(path string) (text string, open *accessError, err error) {
	f, err := openNow(path)
	if err != nil {
		return "", nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	info, err := f.Stat()
	if err != nil {
		return "", nil, err //nolint:wrapcheck // reason takes the path out again
	}
	raw, err := readAtMost(f, maxFile)
	if err == nil && len(raw) == 0 && info.Mode()&fs.ModeNamedPipe != 0 {
		err = errNoWriter
	}
	return typed.Text(raw), checkAccess(path, info, ownerOnly), err
}

// errNoWriter is a pipe that brings nothing.
var errNoWriter = errors.New("it is a pipe, and nobody writes to it")

// parse turns the text of a file into a configuration.
func parse(text string, from origin, o Options) (*Config, error) {
	var tree map[string]any
	if err := tomlbound.Decode(text, &tree); err != nil {
		return nil, Errors{syntaxProblem(from.path, err)}
	}
	r := newReport(from.path, locate(text))
	var c *Config
	if list := r.platforms(tree); len(list) > 0 {
		c = r.readEach(list, tree, from, o)
	} else {
		own := maps.Clone(tree)
		delete(own, "platform") // an empty list is none
		c = r.read(own, nil, from, o)
	}
	c = c.choose(r, o.Platform)
	if err := r.err(); err != nil {
		return nil, err
	}
	c.secrets = r.secrets
	return c, nil
}

// read reads the configuration of one platform, of several or the only one.
func (r *report) read(tree map[string]any, of []Platform, from origin, o Options) *Config {
	c := Default()
	c.Platforms = of
	r.decodeTable("", tree, reflect.ValueOf(&c).Elem())
	c.renamed()
	c.check(r, o)
	if !o.RESTOnly {
		c.RTD.resolveSecrets(r, from, o)
		c.RTD.loadCA(r, "rtd", from.dir)
	}
	c.REST.resolveSecrets(r, from, o)
	c.REST.loadCA(r, "rest", from.dir)
	c.History.resolveSecrets(r, from, o)
	c.History.loadCA(r, "history", from.dir)
	c.Serve.resolveSecrets(r, &c.REST, from, o)
	c.Cluster.load(r, from.dir)
	for i := range c.Notify {
		c.Notify[i].resolveSecrets(r, element("notify", i), from, o)
	}
	if c.Audit.File != "" {
		c.Audit.File = beside(from.dir, c.Audit.File)
	}
	if c.Record.Dir != "" {
		c.Record.Dir = beside(from.dir, c.Record.Dir)
	}
	if c.Serve.HostKeyFile != "" {
		c.Serve.HostKeyFile = beside(from.dir, c.Serve.HostKeyFile)
	}
	if c.Serve.CAFile != "" {
		c.Serve.CAFile = beside(from.dir, c.Serve.CAFile)
		c.Serve.loadAuthorities()
	}
	switch c.Log.File {
	case "":
	case stderr, "/dev/stderr": // which is a link, and may lead to what cannot be opened again
		c.Log.File = stderr
	default:
		c.Log.File = beside(from.dir, c.Log.File)
	}
	return &c
}
