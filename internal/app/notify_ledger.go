package app

import (
	"encoding/json"
	"path/filepath"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/lib/securefile"
)

// notifyLedger stores when the targets of [[notify]] were notified, so that max_per_hour survives a
// restart. It also stores the daily figures about which they were notified. Only one process of a
// machine uses it.
type notifyLedger struct {
	path string

	mu      sync.Mutex
	content notifyLedgerFile
}

// notifyLedgerFile is the JSON form of the ledger. The keys are the names of targets.
type notifyLedgerFile struct {
	Sent map[string][]time.Time       `json:"sent"`
	Days map[string]map[string]string `json:"days"` // by target and daily figure
}

func newNotifyLedger() *notifyLedger {
	const maxBytes = 1 << 20
	l := &notifyLedger{path: filepath.Join(xdg.StateHome, "wallboard", "notify.json")}
	if b, err := securefile.Read(l.path, maxBytes); err == nil && json.Unmarshal(b, &l.content) != nil {
		l.content = notifyLedgerFile{} // treat a broken file as missing
	}
	if l.content.Sent == nil {
		l.content.Sent = make(map[string][]time.Time)
	}
	if l.content.Days == nil {
		l.content.Days = make(map[string]map[string]string)
	}
	return l
}

// LoadDeliveries implements notify.Ledger.
func (l *notifyLedger) LoadDeliveries(target string) []time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.content.Sent[target]
}

// SaveDeliveries implements notify.Ledger.
func (l *notifyLedger) SaveDeliveries(target string, sent []time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.content.Sent[target] = sent
	return l.save()
}

// LoadDeliveryDays implements notify.Ledger.
func (l *notifyLedger) LoadDeliveryDays(target string) map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.content.Days[target]
}

// SaveDeliveryDays implements notify.Ledger.
func (l *notifyLedger) SaveDeliveryDays(target string, days map[string]string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.content.Days[target] = days
	return l.save()
}

// save writes the ledger to its file. The caller holds mu.
func (l *notifyLedger) save() error {
	b, err := json.Marshal(l.content)
	if err != nil {
		return err
	}
	return securefile.Replace(l.path, b)
}
