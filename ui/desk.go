package ui

import (
	tea "charm.land/bubbletea/v2"
)

// deskCommands returns the commands for everything the platform can be asked
// and told besides the calls and campaigns on the board. There must be a
// Controller.
func deskCommands(m *Model) []command {
	with := func(run func(*Model) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd { return run(m) }
	}
	people := func(agents bool) func() tea.Cmd {
		return func() tea.Cmd { return openPeople(m, agents) }
	}
	return []command{
		{name: "send a text message", run: with(openSMS), also: "sms"},
		{name: "search tickets", run: with(openTickets)},
		{name: "search agents of tickets", run: people(true)},
		{name: "search customers of tickets", run: people(false)},
		{name: "read a chat", run: with(openChat)},
		{name: "open a contact", run: with(openContact)},
		{name: "create a contact", run: with(createContact)},
		{name: "search lists", run: with(openLists)},
		{name: "create a list", run: with(createList)},
		{name: "add items to a list", run: func() tea.Cmd { return addItems(m, nil) }},
		{name: "delete items of a list", run: func() tea.Cmd { return deleteItems(m, nil) }},
		{name: "reset ALL items of all lists", run: with(resetItems)},
		{name: "open a run by its id", run: with(openRun)},
		{name: "open a run by campaign and name", run: with(openRunNamed)},
		{name: "add a run", run: with(addRun)},
	}
}
