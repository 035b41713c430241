package config

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"wallboard/internal/lib/safedecode"
	"wallboard/internal/lib/testkit"
)

// commentedOut matches a commented setting of the example.
var commentedOut = regexp.MustCompile(`(?m)^#([a-zA-Z_-]+ = |\[)`)

// elementIndex matches the index of a table in its array.
var elementIndex = regexp.MustCompile(`\[\d+\]`)

func readExample(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../config.example.toml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestExampleLoads(t *testing.T) {
	t.Parallel()
	path := write(t, testkit.PrivateDir(t), "config.toml", readExample(t), 0o644)
	c, err := Load(path, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	if c.RTD.Password.Reveal() != canary || c.REST.Password.Reveal() != canary {
		t.Error("the passwords do not come from WALLBOARD_PASSWORD")
	}
}

// A value that the example presents as the default must be the default.
func TestExampleShowsDefaults(t *testing.T) {
	t.Parallel()
	c, err := Load(write(t, testkit.PrivateDir(t), "config.toml", readExample(t), 0o644), testOptions())
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.UI.Site = "Milan"
	if c.UI != want.UI {
		t.Errorf("[ui] is %+v, the defaults are %+v", c.UI, want.UI)
	}
	if c.Log != want.Log {
		t.Errorf("[log] is %+v, the defaults are %+v", c.Log, want.Log)
	}
	if c.Audit != want.Audit || c.ReadOnly {
		t.Errorf("[audit] is %+v, the defaults are %+v", c.Audit, want.Audit)
	}
	if c.REST.Auth != want.REST.Auth || c.REST.Edition != want.REST.Edition || c.REST.Timeout != want.REST.Timeout {
		t.Error("[rest] does not show the defaults")
	}
	if c.RTD.PublishInterval != want.RTD.PublishInterval || c.RTD.Subprotocol != want.RTD.Subprotocol {
		t.Error("[rtd] does not show the defaults")
	}
}

// The example contains every key, set or commented out, and no others.
func TestExampleNamesEveryKey(t *testing.T) {
	t.Parallel()
	text := commentedOut.ReplaceAllString(readExample(t), "$1")
	shown := make(map[string]bool)
	for key := range safedecode.FindKeyLines(text) {
		shown[elementIndex.ReplaceAllString(key, "")] = true
	}
	for _, key := range Keys() {
		if !shown[key] {
			t.Errorf("config.example.toml does not show %s", key)
		}
	}
	_, err := parse(text, configFile{path: "config.example.toml", dir: testkit.PrivateDir(t)}, testOptions())
	for _, line := range strings.Split(err.Error(), "\n") {
		if !strings.Contains(line, "is a second source of the secret") && !strings.Contains(line, "there is a [[platform]]") {
			t.Errorf("commented-out settings do not load: %s", line)
		}
	}
}
