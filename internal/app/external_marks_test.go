package app

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert/statefile"
	"wallboard/internal/config"
	"wallboard/internal/lib/secret"
)

// TestExternalMarks checks that marks of other programs and of calendars are in the notes of all
// platforms, and that a problem is reported.
func TestExternalMarks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	calendar := filepath.Join(dir, "campaigns.ics")
	begin := time.Now().UTC().Add(-time.Hour)
	text := "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:TV spot\r\nDTSTART:" + begin.Format("20060102T150405Z") + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	if err := os.WriteFile(calendar, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	free, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	_ = free.Close()
	c := config.Default()
	c.Marks = config.Marks{Listen: address, Token: secret.New("0123456789abcdef")}
	c.Calendars = []config.Calendar{{File: calendar}, {File: filepath.Join(dir, "missing.ics")}}
	log := slog.New(slog.DiscardHandler)
	var platforms []*Platform
	for _, name := range []string{"milan", "rome"} {
		platforms = append(platforms, &Platform{config: &c, Notes: statefile.OpenNotes(filepath.Join(dir, name+".jsonl"), log)})
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stop, trouble := startMarks(ctx, platforms, log)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+"/mark", strings.NewReader("text=newsletter"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer 0123456789abcdef")
	transport := &http.Transport{DisableKeepAlives: true}
	resp, err := (&http.Client{Transport: transport}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusCreated {
		t.Errorf("status %d", resp.StatusCode)
	}
	for end := time.Now().Add(10 * time.Second); trouble() == "" && time.Now().Before(end); {
		<-time.After(time.Millisecond)
	}
	stop()
	if !strings.Contains(trouble(), "missing.ics: it cannot be read") {
		t.Errorf("trouble is %q", trouble())
	}
	for _, p := range platforms {
		all := p.Notes.All()
		if len(all) != 2 || all[0].Text != "TV spot" || all[1].Text != "newsletter" {
			t.Errorf("notes are %+v", all)
		}
	}
}
