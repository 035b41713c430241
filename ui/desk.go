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
		{name: "send a text message", run: openSMS, also: "sms"},
		{name: "search tickets", run: openTickets},
		{name: "search agents of tickets", run: people(true)},
		{name: "search customers of tickets", run: people(false)},
		{name: "read a chat", run: openChat},
		{name: "open a contact", run: openContact},
		{name: "create a contact", run: createContact},
		{name: "search lists", run: openLists},
		{name: "create a list", run: createList},
		{name: "add items to a list", run: func(m *Model) tea.Cmd { return addItems(m, nil) }},
		{name: "delete items of a list", run: func(m *Model) tea.Cmd { return deleteItems(m, nil) }},
		{name: "reset ALL items of all lists", run: resetItems},
		{name: "open a run by its id", run: openRun},
		{name: "open a run by campaign and name", run: openRunNamed},
		{name: "add a run", run: addRun},
	}
}
