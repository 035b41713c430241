package notify

import (
	"encoding/json"
	"path/filepath"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/lib/securefile"
)

// FileLedger is a [Ledger] that is stored in a file. Only one process on a machine may use it
// at a time.
type FileLedger struct {
	path string

	mu      sync.Mutex
	content fileLedgerContent
}

// fileLedgerContent is the content of the file, as JSON. The keys of both maps are target names.
type fileLedgerContent struct {
	Sent map[string][]time.Time       `json:"sent"`
	Days map[string]map[string]string `json:"days"` // day of the last delivery, by target and figure of the day
}

// OpenFileLedger returns the ledger of this user, which is empty if the file is missing or invalid.
func OpenFileLedger() *FileLedger {
	const maxBytes = 1 << 20
	l := &FileLedger{path: filepath.Join(xdg.StateHome, "wallboard", "notify.json")}
	if b, err := securefile.Read(l.path, maxBytes); err == nil && json.Unmarshal(b, &l.content) != nil {
		l.content = fileLedgerContent{}
	}
	if l.content.Sent == nil {
		l.content.Sent = make(map[string][]time.Time)
	}
	if l.content.Days == nil {
		l.content.Days = make(map[string]map[string]string)
	}
	return l
}

// LoadDeliveries implements [Ledger].
func (l *FileLedger) LoadDeliveries(target string) []time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.content.Sent[target]
}

// SaveDeliveries implements [Ledger].
func (l *FileLedger) SaveDeliveries(target string, sent []time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.content.Sent[target] = sent
	return l.save()
}

// LoadDeliveryDays implements [Ledger].
func (l *FileLedger) LoadDeliveryDays(target string) map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.content.Days[target]
}

// SaveDeliveryDays implements [Ledger].
func (l *FileLedger) SaveDeliveryDays(target string, days map[string]string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.content.Days[target] = days
	return l.save()
}

// save writes the ledger to its file. The caller must hold mu.
func (l *FileLedger) save() error {
	b, err := json.Marshal(l.content)
	if err != nil {
		return err
	}
	return securefile.Replace(l.path, b)
}
