package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/zalando/go-keyring"

	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/textnorm"
)

// maxSecretBytes limits the length of a secret in bytes. Access tokens are rarely longer than 4
// KiB.
const maxSecretBytes = 64 << 10

// secretSources holds the values of the four keys that can set a secret.
type secretSources struct {
	name               string // name of the secret, such as rtd.password
	literal            *secret.Text
	env, file, keyring string
}

func (c *Login) passwordSources(section string) secretSources {
	return secretSources{section + ".password", &c.Password, c.PasswordEnv, c.PasswordFile, c.PasswordKeyring}
}

func (c *Login) accessTokenSources(section string) secretSources {
	return secretSources{section + ".access_token", &c.AccessToken, c.AccessTokenEnv, c.AccessTokenFile, c.AccessTokenKeyring}
}

// setKeys returns the full names of the keys that are set, out of the four.
func (s secretSources) setKeys() []string {
	var keys []string
	if !s.literal.IsZero() {
		keys = append(keys, s.name)
	}
	for _, source := range []struct{ suffix, value string }{{"_env", s.env}, {"_file", s.file}, {"_keyring", s.keyring}} {
		if source.value != "" {
			keys = append(keys, s.name+source.suffix)
		}
	}
	return keys
}

// configFile describes the configuration file that contains the keys of the secrets.
type configFile struct {
	path       string
	dir        string
	notPrivate *accessError // reason why the file must not contain a secret; nil: it may
}

// resolveSecrets resolves the secrets that rtd.auth requires.
func (c *RTD) resolveSecrets(r *report, file configFile, o Options) {
	c.passwordSources("rtd").resolveIfNeeded(r, file, o, c.Auth, c.Auth == AuthLogin)
	c.accessTokenSources("rtd").resolveIfNeeded(r, file, o, c.Auth, c.Auth != AuthLogin && slices.Contains(rtdAuths, c.Auth))
}

// resolveIfNeeded sets the secret from its source if needed is true. It always checks the keys and
// adds their problems. auth is the login method, for messages.
func (s secretSources) resolveIfNeeded(r *report, file configFile, o Options, auth string, needed bool) {
	keys := s.setKeys()
	if source := r.sourceOf(s.name, file); source.notPrivate != nil && !s.literal.IsZero() {
		r.add(s.name, "is in a file that "+source.notPrivate.problem, source.notPrivate.remedy(source.path)+", or use "+s.name+"_file")
	}
	switch {
	case len(keys) > 1:
		r.add(keys[1], "is a second source of the secret besides "+keys[0], "keep one of "+strings.Join(keys, ", "))
	case o.Demo || !needed || r.hasProblemUnder(s.name):
	case len(keys) == 0:
		section := s.name[:strings.LastIndex(s.name, ".")]
		reason := section + `.auth = "` + auth + `" needs it`
		if auth == "" {
			reason = "[" + section + "] needs it"
		}
		r.add(s.name, "is missing: "+reason,
			"set one of "+s.name+"_file, "+s.name+"_keyring, "+s.name+"_env")
	default:
		*s.literal = s.resolve(r, file, o)
		switch value := s.literal.Reveal(); {
		case strings.ContainsFunc(value, unicode.IsControl):
			r.add(keys[0], "yields a secret with control characters",
				"it must be one line; remove tabs and additional newlines")
		case strings.ContainsFunc(value, textnorm.IsInvisible):
			r.add(keys[0], "yields a secret with invisible characters, such as a zero-width space",
				"they were probably pasted; type the secret again")
		}
	}
}

// resolve returns the secret from the source that is set.
func (s secretSources) resolve(r *report, file configFile, o Options) secret.Text {
	switch {
	case s.env != "":
		return s.fromEnv(r, o)
	case s.file != "":
		return s.fromFile(r, file, o)
	case s.keyring != "":
		return s.fromKeyring(r, o)
	default:
		return *s.literal
	}
}

// safeEnvNamePattern matches names of environment variables that cannot be a password entered in
// the wrong key. Messages quote only such names.
var safeEnvNamePattern = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`)

func (s secretSources) fromEnv(r *report, o Options) secret.Text {
	value := textnorm.DecodeSecret([]byte(o.getenv(s.env)))
	if value == "" {
		name := "it names"
		if safeEnvNamePattern.MatchString(s.env) {
			name = s.env
		}
		r.add(s.name+"_env", "the environment variable "+name+" is not set or empty",
			"export it before the start, or use "+s.name+"_file")
	}
	return secret.New(value)
}

// errTooLong means that a file is larger than the limit.
var errTooLong = errors.New("it is too large")

// fromFile returns the secret in the configured file, which may also be in $CREDENTIALS_DIRECTORY.
// If the file is missing, the message does not quote its name, because the user may have entered
// the secret as the name.
func (s secretSources) fromFile(r *report, file configFile, o Options) secret.Text {
	key := s.name + "_file"
	path := pathInDir(file.dir, s.file)
	r.secretFiles = append(r.secretFiles, path)
	text, err := readPrivate(path, ownerOnly)
	if err == nil {
		r.checkExposure(key, path)
	}
	credentials := o.getenv("CREDENTIALS_DIRECTORY")
	if errors.Is(err, fs.ErrNotExist) && credentials != "" && filepath.IsLocal(s.file) {
		path = filepath.Join(credentials, s.file)
		r.secretFiles = append(r.secretFiles, path)
		text, err = readPrivate(path, systemdCredential)
	}
	var problem *accessError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.add(key, "the file does not exist", "a relative name is looked up beside the configuration file and in $CREDENTIALS_DIRECTORY")
	case errors.As(err, &problem):
		r.add(key, path+" "+problem.problem, problem.remedy(path))
	case err != nil:
		r.add(key, "cannot be read: "+securefile.WithoutPath(err).Error(), "name a regular file of one line that only you may read")
	default:
		value := textnorm.DecodeSecret(text)
		if value == "" {
			r.add(key, "the file is empty", "write the secret into it")
		}
		return secret.New(value)
	}
	return secret.Text{}
}

func (s secretSources) fromKeyring(r *report, o Options) secret.Text {
	key := s.name + "_keyring"
	service, user, ok := strings.Cut(s.keyring, "/")
	if !ok || service == "" || user == "" {
		r.add(key, "is not of the form service/user", `write it like "wallboard/supervisor"`)
		return secret.Text{}
	}
	value, err := o.keyring(service, user)
	value = textnorm.DecodeSecret([]byte(value))
	switch {
	case errors.Is(err, keyring.ErrNotFound), err == nil && value == "":
		r.add(key, "the keyring holds no such secret", "store it there under this service and user")
	case err != nil:
		r.add(key, "the keyring cannot be read: "+err.Error(), "use "+s.name+"_file on a machine without a keyring")
	}
	return secret.New(value)
}

// Keyring gives access to the keyring of the operating system. A place in it has the form
// service/user.
type Keyring struct{}

// Find returns the secret at a place, or "" if there is none.
func (Keyring) Find(place string) (string, error) {
	service, user, _ := strings.Cut(place, "/")
	value, err := Options{}.keyring(service, user)
	if err != nil && !errors.Is(err, keyring.ErrNotFound) {
		return "", fmt.Errorf("the keyring cannot be read: %w", err)
	}
	return value, nil
}

// Store stores a secret at a place. If the keyring answers too late, Store returns an error and the
// secret is removed again.
func (Keyring) Store(place, value string) error {
	service, user, _ := strings.Cut(place, "/")
	return changeKeyring(func() error { return keyring.Set(service, user, value) }, func() { _ = keyring.Delete(service, user) })
}

// Remove removes the secret at a place.
func (Keyring) Remove(place string) error {
	service, user, _ := strings.Cut(place, "/")
	return changeKeyring(func() error { return keyring.Delete(service, user) }, func() {})
}

// changeKeyring changes the keyring. If the change takes longer than keyringTimeout, it returns an
// error and calls undo if the change succeeds later.
func changeKeyring(change func() error, undo func()) error {
	done, late := make(chan error), make(chan struct{})
	go func() {
		err := change()
		select {
		case done <- err:
		case <-late:
			if err == nil {
				undo()
			}
		}
	}()
	var err error
	select {
	case err = <-done:
	case <-time.After(keyringTimeout):
		close(late)
		err = errNoKeyringAnswer
	}
	if err != nil {
		return fmt.Errorf("the keyring cannot be written: %w", err)
	}
	return nil
}
