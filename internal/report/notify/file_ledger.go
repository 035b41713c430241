package notify

import (
	"encoding/json"
	"path/filepath"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/lib/securefile"
)

// FileLedger is a [Ledger] in a file. Only one process of a machine uses it.
type FileLedger struct {
	path string

	mu      sync.Mutex
	content fileLedgerContent
}

// fileLedgerContent is the JSON form of the ledger. The keys are the names of targets.
type fileLedgerContent struct {
	Sent map[string][]time.Time       `json:"sent"`
	Days map[string]map[string]string `json:"days"` // by target and daily figure
}

// OpenFileLedger returns the ledger of this user. It treats a broken file as missing.
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

// save writes the ledger to its file. The caller holds mu.
func (l *FileLedger) save() error {
	b, err := json.Marshal(l.content)
	if err != nil {
		return err
	}
	return securefile.Replace(l.path, b)
}
