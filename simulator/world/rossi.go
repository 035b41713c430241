package world

import "slices"

// rossi is the user name that the documentation's examples call. Chance makes nobody of
// that name.
const rossi = "anna.rossi"

// canDial reports whether a user has a telephone that the platform controls.
func (u *user) canDial() bool { return u.medium(channelCall) != nil && !u.clientless() }

// namesake is the first agent who is there at the opening with a telephone, and free if
// anybody is; nil where nobody can dial.
func (w *World) namesake() *user {
	for _, fits := range []func(*user) bool{
		func(u *user) bool { return u.here && !u.busy },
		func(u *user) bool { return u.here },
		func(*user) bool { return true },
	} {
		if i := slices.IndexFunc(w.agents, func(u *user) bool { return u.canDial() && fits(u) }); i >= 0 {
			return w.agents[i]
		}
	}
	return nil
}

// nameRossi gives the agent with a profile that name.
func (w *World) nameRossi(profile int64) {
	for _, u := range w.agents {
		if u.profile != profile {
			continue
		}
		delete(w.userOf, u.username)
		u.name, u.surname, u.username = "Anna", "Rossi", rossi
		w.userOf[rossi] = u
		u.changed()
		for _, m := range u.media {
			m.touch()
		}
	}
}
