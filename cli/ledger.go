package cli

import (
	"encoding/json"
	"path/filepath"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/private"
)

// notifyLedger keeps when the targets of [[notify]] were told, so that their
// max_per_hour holds over a new start. Only one process of the machine tells.
type notifyLedger struct {
	path string

	mu   sync.Mutex
	sent map[string][]time.Time
}

func newNotifyLedger() *notifyLedger {
	const most = 1 << 20
	l := &notifyLedger{path: filepath.Join(xdg.StateHome, "wallboard", "notify.json"), sent: make(map[string][]time.Time)}
	if b, err := private.Read(l.path, most); err == nil {
		if json.Unmarshal(b, &l.sent) != nil || l.sent == nil { // it is as good as none
			l.sent = make(map[string][]time.Time)
		}
	}
	return l
}

// Load implements notify.Ledger.
func (l *notifyLedger) Load(target string) []time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sent[target]
}

// Save implements notify.Ledger.
func (l *notifyLedger) Save(target string, sent []time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent[target] = sent
	b, err := json.Marshal(l.sent)
	if err != nil {
		return err //nolint:wrapcheck // the notifier says what it is about
	}
	return private.Replace(l.path, b) //nolint:wrapcheck // likewise
}
