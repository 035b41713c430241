package config

import (
	"regexp"
	"strings"
	"time"

	"wallboard/internal/lib/secret"
)

// History configures the platform's statistical data service (document 3). It may be left
// out; then there is no history.
type History struct {
	URL           string      `toml:"url"`             // http(s) address: {datamodel_base} of document 3, without /query.
	APIKey        secret.Text `toml:"api_key"`         // The API key itself; only in a configuration file with mode 0600.
	APIKeyEnv     string      `toml:"api_key_env"`     // Environment variable that holds the API key.
	APIKeyFile    string      `toml:"api_key_file"`    // File that holds the API key on one line, as for password_file.
	APIKeyKeyring string      `toml:"api_key_keyring"` // API key in the keyring of the operating system, as "service/user".
	Trust
	Timeout   time.Duration     `toml:"timeout"`    // Time limit of one request.
	TimeZone  string            `toml:"time_zone"`  // Time zone of days and hours, such as "Europe/Rome"; "": this machine's.
	Batch     int               `toml:"batch"`      // Maximum number of counts in one request.
	CacheSize Size              `toml:"cache_size"` // Maximum size of the answers cached on disk; 0: no cache.
	Names     map[string]string `toml:"names"`      // Operation -> its name, if document 3 does not show it or the server uses another.
	Groups    map[string]string `toml:"groups"`     // Value of groupBy -> type, ID field and name field of its entities.
}

// Limits of [history].
const (
	maxBatch          = 100
	minCacheSize Size = 1 << 20
	maxCacheSize Size = 1 << 30
)

func defaultHistory() History {
	return History{Timeout: 30 * time.Second, Batch: maxBatch, CacheSize: 32 << 20}
}

// IsConfigured reports whether the file has settings for the service.
func (c *History) IsConfigured() bool {
	return c.URL != "" || len(c.apiKeySources().setKeys()) > 0
}

// Location returns the time zone in which days and hours begin.
func (c *History) Location() *time.Location {
	if c.TimeZone == "" {
		return time.Local
	}
	loc, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		return time.Local // the unknown zone has already been reported
	}
	return loc
}

// entityPattern matches three names separated by blanks: a GraphQL type and two of its fields.
var entityPattern = regexp.MustCompile(`^[_A-Za-z][_0-9A-Za-z]*( [_A-Za-z][_0-9A-Za-z]*){2}$`)

func (c *History) check(r *report, o Options) {
	if !c.IsConfigured() {
		return
	}
	switch {
	case c.URL != "":
		c.checkAddress(r, "history", "url", c.URL, "https", "http")
	case !o.Demo:
		r.add("history.url", "is missing", `write the address of the statistical data service, for example "https://host/datamodel", `+
			"without the /query at its end, or remove [history]")
	}
	checkRange(r, "history.timeout", c.Timeout, minTimeout, maxTimeout)
	if c.CacheSize != 0 {
		checkRange(r, "history.cache_size", c.CacheSize, minCacheSize, maxCacheSize)
	}
	if c.Batch < 1 || c.Batch > maxBatch {
		r.add("history.batch", "is out of range", "allowed: 1 to 100; use 1 if the server refuses several counts in one request")
	}
	if _, err := time.LoadLocation(c.TimeZone); err != nil {
		r.add("history.time_zone", quoteValue(c.TimeZone)+" is not a time zone", `write it like "Europe/Rome", or leave it out to use this machine's`)
	}
	for op, name := range c.Names {
		key := joinKey("history.names", op)
		if len(o.HistoryOperations) > 0 && !checkOperation(r, key, op, o.HistoryOperations) {
			continue
		}
		if !graphqlNamePattern.MatchString(name) {
			r.add(key, quoteValue(name)+" is not a name in GraphQL", "allowed: letters, digits and _, not beginning with a digit")
		}
	}
	for by, text := range c.Groups {
		if key := joinKey("history.groups", by); !graphqlNamePattern.MatchString(by) || !entityPattern.MatchString(strings.TrimSpace(text)) {
			r.add(key, "is not a valid grouping", `write the type of the entity, its ID field and its name field: SERVICE = "Service code name"`)
		}
	}
}

func (c *History) apiKeySources() secretSources {
	return secretSources{"history.api_key", &c.APIKey, c.APIKeyEnv, c.APIKeyFile, c.APIKeyKeyring}
}
