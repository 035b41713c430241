package world

import "slices"

// exampleUsername is the username in the examples of the documentation. Generated usernames differ
// from it.
const exampleUsername = "anna.rossi"

// canDial reports whether the user has a telephone that the platform can control.
func (u *user) canDial() bool { return u.channel(channelCall) != nil && !u.hasUncontrolledPhone() }

// exampleUserCandidate returns the agent who gets the example username: an agent with a
// telephone that the platform can control, preferably one who is logged in and free at the
// opening. It returns nil if there is no such agent.
func (w *World) exampleUserCandidate() *user {
	for _, accept := range []func(*user) bool{
		func(u *user) bool { return u.isLoggedIn && !u.isBusy },
		func(u *user) bool { return u.isLoggedIn },
		func(*user) bool { return true },
	} {
		if i := slices.IndexFunc(w.agents, func(u *user) bool { return u.canDial() && accept(u) }); i >= 0 {
			return w.agents[i]
		}
	}
	return nil
}

// renameExampleUser gives the example name and username to the agent with the given profile ID.
func (w *World) renameExampleUser(profile int64) {
	for _, u := range w.agents {
		if u.profileID != profile {
			continue
		}
		delete(w.userByName, u.username)
		u.name, u.surname, u.username = "Anna", "Rossi", exampleUsername
		w.userByName[exampleUsername] = u
		u.markChanged()
		for _, m := range u.channels {
			m.markStatsChanged()
		}
	}
}
