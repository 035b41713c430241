package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
)

func TestSecretNeverPrints(t *testing.T) {
	t.Parallel()
	s := NewSecret(canary)
	if s.Reveal() != canary {
		t.Fatal("Reveal does not return the secret")
	}
	c := Default()
	c.RTD.Password = s
	values := map[string]any{
		"secret": s, "pointer": &s, "config": c, "config pointer": &c, "slice": []Secret{s}, "map": map[string]Secret{"a": s},
		"unexported": struct{ hidden Secret }{s}, "problem": Problem{Problem: fmt.Sprint(s)},
	}
	for name, v := range values {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T", "%p", "%10.3s", "%!"} {
				fmt.Fprintf(&out, verb, v)
			}
			fmt.Fprint(&out, v)
			fmt.Fprintln(&out, v)
			fmt.Fprint(&out, fmt.Errorf("wrapped: %v", v))
			slog.New(slog.NewTextHandler(&out, nil)).Info("text", "value", v)
			slog.New(slog.NewJSONHandler(&out, nil)).Info("json", "value", v)
			if err := json.NewEncoder(&out).Encode(v); err != nil {
				t.Fatal(err)
			}
			_ = toml.NewEncoder(&out).Encode(v) // not every value is a table
			if printed := out.String(); strings.Contains(printed, canary) || strings.Contains(printed, fmt.Sprintf("%x", canary)) {
				t.Errorf("the secret was printed:\n%s", printed)
			}
		})
	}
}

func TestSecretRedacted(t *testing.T) {
	t.Parallel()
	s := NewSecret(canary)
	text, err := s.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	js, err := json.Marshal(map[string]Secret{"password": s})
	if err != nil {
		t.Fatal(err)
	}
	got := []string{s.String(), s.GoString(), fmt.Sprintf("%x", s), string(text), s.LogValue().String(), string(js), Secret{}.String()}
	want := []string{redacted, redacted, redacted, redacted, redacted, `{"password":"[redacted]"}`, redacted}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSecretEqual(t *testing.T) {
	t.Parallel()
	if !NewSecret("a").Equal(NewSecret("a")) || NewSecret("a").Equal(NewSecret("b")) || NewSecret("a").Equal(Secret{}) {
		t.Error("secrets compare wrongly")
	}
	if !(Secret{}).IsZero() || !NewSecret("").IsZero() || NewSecret("a").IsZero() {
		t.Error("IsZero is wrong")
	}
}
