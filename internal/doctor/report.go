// Package doctor examines the platform's services without changing anything. It reports which
// services work, the problems it found, and the configuration lines that the platform needs. A
// [Bundle] is a zip file with this information for developers, without secrets and names.
//
// [Examine] runs in the caller's goroutine and starts another one for the feed, which ends
// before Examine returns.
package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Verdict is the result of a check.
type Verdict string

// Verdicts.
const (
	VerdictOK   Verdict = "ok"
	VerdictNote Verdict = "note" // works, but needs attention or differs from the platform's documents
	VerdictFail Verdict = "fail"
	VerdictSkip Verdict = "skip" // not checked
)

// Finding is an entry of a report.
type Finding struct {
	Service string  `json:"service"`
	About   string  `json:"about"`
	Verdict Verdict `json:"verdict"`
	Text    string  `json:"text"`
	Remedy  string  `json:"remedy,omitempty"` // action for the administrator
}

// Report holds the findings of an examination.
type Report struct {
	Findings []Finding      `json:"findings"`
	Config   []string       `json:"config"` // TOML lines that set the detected values
	Services []ServiceFacts `json:"services"`

	onlySubprotocol string // the sub-protocol that works, if only one does; otherwise ""
}

// ServiceFacts holds the figures by which the services of several platforms are compared. Zero values
// are unknown.
type ServiceFacts struct {
	Service        string    `json:"service"`
	Version        string    `json:"version,omitempty"`
	CertificateEnd time.Time `json:"certificate_end,omitzero"`
	ClockSkew      *float64  `json:"clock_skew_seconds,omitempty"` // the service's clock minus this machine's
}

// factsOf returns the facts of a service. It adds empty facts if the report has none for the
// service.
func (r *Report) factsOf(service string) *ServiceFacts {
	i := slices.IndexFunc(r.Services, func(f ServiceFacts) bool { return f.Service == service })
	if i < 0 {
		i = len(r.Services)
		r.Services = append(r.Services, ServiceFacts{Service: service})
	}
	return &r.Services[i]
}

// IsOK reports whether no check failed.
func (r *Report) IsOK() bool {
	for i := range r.Findings {
		if r.Findings[i].Verdict == VerdictFail {
			return false
		}
	}
	return true
}

func (r *Report) addFinding(service, about string, v Verdict, text, remedy string) {
	r.Findings = append(r.Findings, Finding{service, about, v, text, remedy})
}

// glyph returns the character that marks a verdict, an ASCII character if ascii is true.
func (v Verdict) glyph(ascii bool) string {
	marks := map[Verdict][2]string{VerdictOK: {"✓", "+"}, VerdictNote: {"△", "*"}, VerdictFail: {"×", "x"}, VerdictSkip: {"○", "o"}}
	if ascii {
		return marks[v][1]
	}
	return marks[v][0]
}

// WriteText writes the report as lines for users. If ascii is true, it marks verdicts with
// ASCII characters.
func (r *Report) WriteText(w io.Writer, ascii bool) error {
	var b strings.Builder
	width, last := 0, ""
	for i := range r.Findings {
		width = max(width, utf8.RuneCountInString(r.Findings[i].About))
	}
	arrow := "→"
	if ascii {
		arrow = "->"
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Service != last {
			if last != "" {
				b.WriteByte('\n')
			}
			b.WriteString(f.Service + "\n")
			last = f.Service
		}
		lines := wrap(f.Text, textWidth)
		fmt.Fprintf(&b, "  %s %-4s  %-*s  %s\n", f.Verdict.glyph(ascii), f.Verdict, width, f.About, lines[0])
		for _, line := range lines[1:] {
			fmt.Fprintf(&b, "  %*s  %s\n", width+8, "", line)
		}
		if f.Remedy != "" {
			fmt.Fprintf(&b, "  %*s  %s %s\n", width+8, "", arrow, f.Remedy)
		}
	}
	if len(r.Config) > 0 {
		b.WriteString("\nTo find none of this out again, write into the configuration\n")
		for _, line := range r.Config {
			b.WriteString("  " + line + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// textWidth is the maximum width of the lines of a finding, in characters.
const textWidth = 90

// wrap breaks text at spaces into lines of at most width characters. A longer word gets a line
// of its own. The result has at least one line.
func wrap(text string, width int) []string {
	lines := []string{""}
	for _, w := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = w
		case utf8.RuneCountInString(*last)+1+utf8.RuneCountInString(w) > width:
			lines = append(lines, w)
		default:
			*last += " " + w
		}
	}
	return lines
}

// WriteJSON writes the report as indented JSON.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}
