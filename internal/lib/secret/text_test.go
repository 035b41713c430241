package secret

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const canary = "s3cret-canary"

func TestTextNeverPrints(t *testing.T) {
	t.Parallel()
	s := New(canary)
	if s.Reveal() != canary {
		t.Fatal("Reveal does not return the secret")
	}
	c := struct {
		Name     string
		Password Text
	}{"anna", s}
	values := map[string]any{
		"secret": s, "pointer": &s, "config": c, "config pointer": &c, "slice": []Text{s}, "map": map[string]Text{"a": s},
		"unexported": struct{ hidden Text }{s}, "sprint": fmt.Sprint(s),
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
			if printed := out.String(); strings.Contains(printed, canary) || strings.Contains(printed, fmt.Sprintf("%x", canary)) {
				t.Errorf("the secret was printed:\n%s", printed)
			}
		})
	}
}

func TestTextRedacted(t *testing.T) {
	t.Parallel()
	s := New(canary)
	text, err := s.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	js, err := json.Marshal(map[string]Text{"password": s})
	if err != nil {
		t.Fatal(err)
	}
	got := []string{s.String(), s.GoString(), fmt.Sprintf("%x", s), string(text), s.LogValue().String(), string(js), Text{}.String()}
	want := []string{Redacted, Redacted, Redacted, Redacted, Redacted, `{"password":"[redacted]"}`, Redacted}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTextEqual(t *testing.T) {
	t.Parallel()
	if !New("a").Equal(New("a")) || New("a").Equal(New("b")) || New("a").Equal(Text{}) {
		t.Error("secrets compare wrongly")
	}
	if !(Text{}).IsZero() || !New("").IsZero() || New("a").IsZero() {
		t.Error("IsZero is wrong")
	}
}
