package model

import (
	"maps"
	"weak"
)

// Namesakes finds users who have the same name and surname as another user. The zero Namesakes
// knows no users.
type Namesakes struct {
	users     weak.Pointer[Table[string, User]] // users of the last update
	ambiguous map[string]bool                   // by username
}

// Has reports whether another user has the same name and surname as the user with the given
// username.
func (n *Namesakes) Has(username string) bool { return n.ambiguous[username] }

// Update finds the namesakes among the given users. It reports whether the set of users with
// namesakes has changed since the last update.
func (n *Namesakes) Update(users *Table[string, User]) (changed bool) {
	current := weak.Make(users)
	if n.users == current {
		return false
	}
	previous := n.users.Value()
	if n.users = current; previous != nil && sameNames(previous, users) {
		return false
	}
	type name struct{ surname, name Text }
	ambiguous, first := make(map[string]bool), make(map[name]string, users.Len())
	for u := range users.All() {
		id := name{u.Surname, u.Name}
		if other, is := first[id]; is {
			ambiguous[other], ambiguous[u.Key()] = true, true
		} else {
			first[id] = u.Key()
		}
	}
	changed = !maps.Equal(ambiguous, n.ambiguous)
	n.ambiguous = ambiguous
	return changed
}

// sameNames reports whether two tables have the same users with the same names.
func sameNames(a, b *Table[string, User]) bool {
	if a.Generation() != b.Generation() {
		return false
	}
	others := b.Rows()
	for i, u := range a.Rows() {
		if o := others[i]; u != o && (u.Surname != o.Surname || u.Name != o.Name) {
			return false
		}
	}
	return true
}
