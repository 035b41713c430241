package feeds

import "time"

// Profile is what was learnt about a server.
type Profile struct {
	Server      string              `json:"server"` // its version when it was learnt; "" if it did not say
	LearntAt    time.Time           `json:"learntAt"`
	Subprotocol string              `json:"subprotocol,omitempty"` // the one that has to be offered alone
	Filters     Filters             `json:"filters,omitempty"`
	Roots       map[string]string   `json:"roots,omitempty"`
	Lacks       map[string][]string `json:"lacks,omitempty"`
	Keyless     []string            `json:"keyless,omitempty"`
	MaxKeys     map[string]int      `json:"maxKeys,omitempty"`
}

// ProfileStore keeps the profile of one server. It is called from the feed's
// ticker, one call at a time.
type ProfileStore interface {
	// Load returns what was kept, false when there is nothing of use.
	Load() (Profile, bool)
	// Save keeps a profile.
	Save(p Profile) error
}
