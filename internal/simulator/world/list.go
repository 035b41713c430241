package world

import (
	"cmp"
	"fmt"
	"slices"
)

const firstListID = 701

// List holds the settings of a dialer list: PDList of document 1. The simulated dialer ignores the
// settings for retries.
type List struct {
	ID               int64
	Name             string
	VoicemailEnabled bool
	NoAnswer         Attempts
	Busy             Attempts
	Cancel           Attempts
	Congestion       Attempts
	Voicemail        Attempts
	VendorClosed     Attempts
}

// Attempts holds the settings for retries after a kind of failure: the number of retries, and
// the seconds to wait before each of them.
type Attempts struct {
	Attempts, Timeout int64
}

func newList(id int64, name string) List {
	return List{
		ID: id, Name: name,
		NoAnswer:     Attempts{3, 3600},
		Busy:         Attempts{5, 600},
		Cancel:       Attempts{2, 3600},
		Congestion:   Attempts{5, 300},
		Voicemail:    Attempts{1, 7200},
		VendorClosed: Attempts{2, 1800},
	}
}

// Lists returns all lists sorted by ID. The caller owns the slice.
func (d *Dialer) Lists() []List { return slices.Clone(d.lists) }

// AddList adds a list and returns it with its ID. ID 0 means the next free ID. AddList returns
// [ErrExists] if the ID or the name is in use, and [ErrInvalid] if a setting is invalid.
func (d *Dialer) AddList(l List) (List, error) {
	if l.ID == 0 {
		l.ID = firstListID
		if n := len(d.lists); n > 0 {
			l.ID = d.lists[n-1].ID + 1
		}
	}
	for _, other := range d.lists {
		if other.ID == l.ID || other.Name == l.Name {
			return List{}, ErrExists
		}
	}
	if err := l.check(); err != nil {
		return List{}, err
	}
	d.addList(l)
	return l, nil
}

func (d *Dialer) addList(l List) {
	i, _ := slices.BinarySearchFunc(d.lists, l.ID, func(l List, id int64) int { return cmp.Compare(l.ID, id) })
	d.lists = slices.Insert(d.lists, i, l)
}

// SetList replaces the list with the same ID and returns it. It returns [ErrNoList] if there is no
// such list. It returns [ErrInvalid] if a setting is invalid or another list has the same name.
func (d *Dialer) SetList(l List) (List, error) {
	old := d.listByID(l.ID)
	if old == nil {
		return List{}, ErrNoList
	}
	for _, other := range d.lists {
		if other.ID != l.ID && other.Name == l.Name {
			return List{}, fmt.Errorf("%w: name", ErrInvalid)
		}
	}
	if err := l.check(); err != nil {
		return List{}, err
	}
	*old = l
	return l, nil
}

func (l *List) check() error {
	if l.ID < 0 || l.Name == "" {
		return fmt.Errorf("%w: id or name", ErrInvalid)
	}
	for _, a := range [...]Attempts{l.NoAnswer, l.Busy, l.Cancel, l.Congestion, l.Voicemail, l.VendorClosed} {
		if a.Attempts < 0 || a.Timeout < 0 {
			return fmt.Errorf("%w: attempts", ErrInvalid)
		}
	}
	return nil
}

// listByID returns the list with the given ID, or nil if there is none.
func (d *Dialer) listByID(id int64) *List {
	for i := range d.lists {
		if d.lists[i].ID == id {
			return &d.lists[i]
		}
	}
	return nil
}
