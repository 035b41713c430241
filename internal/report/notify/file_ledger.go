package notify

import (
	"encoding/json"
	"path/filepath"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/lib/securefile"
)

// FileDeliveryStore is a [DeliveryStore] that is stored in a file. Only one process on a machine may use it
// at a time.
type FileDeliveryStore struct {
	path string

	mu      sync.Mutex
	content deliveryFile
}

// deliveryFile is the content of the file, as JSON. The keys of both maps are target names.
type deliveryFile struct {
	Sent map[string][]time.Time       `json:"sent"`
	Days map[string]map[string]string `json:"days"` // day of the last delivery, by target and figure of the day
}

// OpenDeliveryStore returns the store of this user, which is empty if the file is missing or invalid.
func OpenDeliveryStore() *FileDeliveryStore {
	const maxBytes = 1 << 20
	l := &FileDeliveryStore{path: filepath.Join(xdg.StateHome, "wallboard", "notify.json")}
	if b, err := securefile.Read(l.path, maxBytes); err == nil && json.Unmarshal(b, &l.content) != nil {
		l.content = deliveryFile{}
	}
	if l.content.Sent == nil {
		l.content.Sent = make(map[string][]time.Time)
	}
	if l.content.Days == nil {
		l.content.Days = make(map[string]map[string]string)
	}
	return l
}

// LoadDeliveries implements [DeliveryStore].
func (l *FileDeliveryStore) LoadDeliveries(target string) []time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.content.Sent[target]
}

// SaveDeliveries implements [DeliveryStore].
func (l *FileDeliveryStore) SaveDeliveries(target string, sent []time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.content.Sent[target] = sent
	return l.save()
}

// LoadDeliveryDays implements [DeliveryStore].
func (l *FileDeliveryStore) LoadDeliveryDays(target string) map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.content.Days[target]
}

// SaveDeliveryDays implements [DeliveryStore].
func (l *FileDeliveryStore) SaveDeliveryDays(target string, days map[string]string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.content.Days[target] = days
	return l.save()
}

// save writes the content to the file. The caller must hold mu.
func (l *FileDeliveryStore) save() error {
	b, err := json.Marshal(l.content)
	if err != nil {
		return err
	}
	return securefile.Replace(l.path, b)
}
