package resource_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"wallboard/model/resource"
)

func TestReadTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ raw, want string }{
		{`"2026-01-02T03:04:05Z"`, "2026-01-02 03:04:05Z"},
		{`"2026-01-02T03:04:05.678Z"`, "2026-01-02 03:04:05.678Z"},
		{`"2026-01-02T03:04:05,6Z"`, "2026-01-02 03:04:05.6Z"},
		{`"2026-01-02T03:04:05.678901+01:00"`, "2026-01-02 02:04:05.678Z"},
		{`"2026-01-02T03:04:05+0100"`, "2026-01-02 02:04:05Z"},
		{`"2026-01-02T03:04:05-03"`, "2026-01-02 06:04:05Z"},
		{`"2026-01-02T03:04:05"`, "2026-01-02 03:04:05Z"},
		{`"2026-01-02T03:04+01:00"`, "2026-01-02 02:04:00Z"},
		{`"2026-01-02 03:04:05"`, "2026-01-02 03:04:05Z"},
		{`"2026-01-02"`, "2026-01-02 00:00:00Z"},
		{`1767323045678`, "2026-01-02 03:04:05.678Z"},
		{`"1767323045678"`, "2026-01-02 03:04:05.678Z"},
		{`0`, "1970-01-01 00:00:00Z"},
		{`"20260102"`, "20260102"},
		{`"next\u001b week"`, "next␛ week"},
		{`1.5`, "1.5"},
		{`""`, ""},
		{`null`, ""},
		{`{}`, ""},
		{`[1]`, ""},
	} {
		var when resource.Time
		if err := json.Unmarshal([]byte(c.raw), &when); err != nil || when.String() != c.want {
			t.Errorf("%s is %q, %v, want %q", c.raw, when, err, c.want)
		}
		if _, known := when.Get(); known != strings.HasSuffix(c.want, "Z") {
			t.Errorf("%s: known %t", c.raw, known)
		}
	}
}

func TestParseTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" 2026-01-02 ", "2026-01-02T00:00:00.000Z"},
		{"2026-01-02 03:04", "2026-01-02T03:04:00.000Z"},
		{"2026-01-02 03:04 +01:00", "2026-01-02T02:04:00.000Z"},
		{"2026-01-02T03:04:05.9999Z", "2026-01-02T03:04:05.999Z"},
	} {
		when, err := resource.ParseTime(c.text)
		if err != nil || when.ISO() != c.want {
			t.Errorf("ParseTime(%q) = %q, %v, want %q", c.text, when.ISO(), err, c.want)
		}
		if again, err := resource.ParseTime(when.String()); err != nil || again != when {
			t.Errorf("%q does not read as itself: %q, %v", when, again, err)
		}
	}
	for _, text := range []string{"tomorrow", "2026-13-01", "2026-02-30", "25:00", "2026-01-02 25:00", "\x1b"} {
		if when, err := resource.ParseTime(text); err == nil || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("ParseTime(%q) = %q, %v", text, when, err)
		}
	}
}

func TestTimeOf(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 6_999_999, time.FixedZone("", 3600))
	raw, err := json.Marshal(resource.TimeOf(at))
	if want := `"2026-01-02T02:04:05.006Z"`; err != nil || string(raw) != want {
		t.Errorf("got %s, %v, want %s", raw, err, want)
	}
	if !resource.TimeOf(time.Time{}).IsZero() {
		t.Error("no time is not nothing")
	}
}
