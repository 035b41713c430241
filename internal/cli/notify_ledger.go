package cli

import (
	"encoding/json"
	"path/filepath"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/lib/securefile"
)

// notifyLedger stores when the targets of [[notify]] were notified, so that max_per_hour
// survives a restart, and about which daily figures. Only one process per machine sends
// notifications.
type notifyLedger struct {
	path string

	mu   sync.Mutex
	kept notifyLedgerFile
}

// notifyLedgerFile is the content of the file, by target.
type notifyLedgerFile struct {
	Sent map[string][]time.Time       `json:"sent"`
	Days map[string]map[string]string `json:"days"` // by daily figure
}

func newNotifyLedger() *notifyLedger {
	const most = 1 << 20
	l := &notifyLedger{path: filepath.Join(xdg.StateHome, "wallboard", "notify.json")}
	if b, err := securefile.Read(l.path, most); err == nil && json.Unmarshal(b, &l.kept) != nil {
		l.kept = notifyLedgerFile{} // treat a broken file as missing
	}
	if l.kept.Sent == nil {
		l.kept.Sent = make(map[string][]time.Time)
	}
	if l.kept.Days == nil {
		l.kept.Days = make(map[string]map[string]string)
	}
	return l
}

// Load implements notify.Ledger.
func (l *notifyLedger) Load(target string) []time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept.Sent[target]
}

// Save implements notify.Ledger.
func (l *notifyLedger) Save(target string, sent []time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept.Sent[target] = sent
	return l.save()
}

// Days implements notify.Ledger.
func (l *notifyLedger) Days(target string) map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept.Days[target]
}

// SaveDays implements notify.Ledger.
func (l *notifyLedger) SaveDays(target string, days map[string]string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept.Days[target] = days
	return l.save()
}

// save writes the file. The caller holds mu.
func (l *notifyLedger) save() error {
	b, err := json.Marshal(l.kept)
	if err != nil {
		return err
	}
	return securefile.Replace(l.path, b)
}
