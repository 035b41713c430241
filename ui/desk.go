package ui

import (
	tea "charm.land/bubbletea/v2"
)

// deskCommands returns the commands for everything the platform can be asked
// and told besides the calls and campaigns on the board. There must be a
// Controller.
func deskCommands(*Model) []command {
	people := func(agents bool) func(*Model) tea.Cmd {
		return func(m *Model) tea.Cmd { return openPeople(m, agents) }
	}
	return []command{
		{"send a text message", openSMS},
		{"search tickets", openTickets},
		{"search agents of tickets", people(true)},
		{"search customers of tickets", people(false)},
		{"read a chat", openChat},
		{"open a contact", openContact},
		{"create a contact", createContact},
		{"search lists", openLists},
		{"create a list", createList},
		{"add items to a list", func(m *Model) tea.Cmd { return addItems(m, nil) }},
		{"delete items of a list", func(m *Model) tea.Cmd { return deleteItems(m, nil) }},
		{"reset ALL items of all lists", resetItems},
		{"open a run by its id", openRun},
		{"open a run by campaign and name", openRunNamed},
		{"add a run", addRun},
	}
}
