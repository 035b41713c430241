package ui

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/words"
	"wallboard/model/resource"
)

// errand is a task of a supervisor, with its keys and the expected screen.
type errand struct {
	does  string
	keys  string // keys separated by spaces
	typed string // text to type where keys contains …
	most  int    // maximum number of keys, without typed text
	shows []string
	on    func(t *testing.T) *board // opens the board; nil: a board with a recording
}

func errands() []errand {
	floor := func(t *testing.T) *board { return newBoard(t, 120, 40) }
	acting := func(t *testing.T) *board {
		c := newFloorController(words.ActionReport{Outcome: resource.OutcomeConfirmed, Text: words.Name("It is done.")})
		return newBoard(t, 120, 40, func(o *Options) { o.Actions.Controller = controllerOf(c) })
	}
	past := func(t *testing.T) *board { return newHistoryBoard(t, &fakeHistory{}, 120, 40) }
	return []errand{
		{"what is worst, and why", "7 w", "", 2, []string{"Why: "}, floor},
		{
			"its agents, the most urgent first", "7 enter", "", 2,
			[]string{"Limit▼"},
			func(t *testing.T) *board { return newBoard(t, 200, 60) },
		},
		{"hang up a call", "4 x y", "", 4, []string{"It is done."}, acting},
		{"start a campaign", "5 d y", "", 4, []string{"It is done."}, acting},
		{"stop a campaign", "5 x y", "", 4, []string{"It is done."}, acting},
		{"stop several campaigns", "5 space space x y", "", 6, []string{"2 confirmed"}, acting},
		{"stop all campaigns that run", ": … enter y", "stop all", 3, []string{"confirmed"}, acting},
		{"which agents can go on a break now", "B", "", 1, []string{"Who can leave", "ready agents can be spared"}, floor},
		{"whether the day will meet its target", "u", "", 1, []string{"Service level by midnight"}, past},
		{"agents in their state for more than 10 minutes", "4 / … enter", "time>10m", 3, []string{"time>10m"}, floor},
		{
			"take an alert over, with a note", "7 m … ctrl+s", "I call them", 4,
			[]string{"Taken by"},
			func(t *testing.T) *board { return newBoard(t, 120, 40, func(o *Options) { o.Actions.User = "anna" }) },
		},
		{"find an agent by name", ": … enter", "rossi", 7 - len("rossi"), []string{"› Rossi"}, floor},
		{"compare the day with last Monday", "8 / tab … ctrl+s", "mon", 7 - len("mon"), []string{"against Mon"}, past},
		{"hand the shift over, as a file", "h e", "", 2, []string{"Saved as"}, func(t *testing.T) *board {
			return newBoard(t, 120, 40, func(o *Options) { o.Actions.Save = func(name string, _ []byte) (string, error) { return name, nil } })
		}},
		{"how a service has been", "2 t", "", 2, []string{"the last 15 min"}, func(t *testing.T) *board { return newWatched(t, 120, 40) }},
		{"the whole board at a time of today", ": … enter", "23:50", 3, []string{"REWOUND 23:50"}, nil},
		{"the whole board some minutes ago", ": … enter", "back 7m", 3, []string{"REWOUND", "7:0"}, nil},
		{"what an agent did in the last hour", "4 t", "", 2, []string{"Recorded since"}, func(t *testing.T) *board { return newWatched(t, 120, 40) }},
	}
}

// press presses the keys of the errand.
func (k *errand) press(b *board) {
	for name := range strings.FieldsSeq(k.keys) {
		if name == "…" {
			b.words(k.typed)
			continue
		}
		b.press(name)
	}
}

// count returns the number of keys, without typed text.
func (k *errand) count() int { return len(strings.Fields(strings.ReplaceAll(k.keys, "…", ""))) }

func TestTasks(t *testing.T) {
	t.Parallel()
	for _, k := range errands() {
		t.Run(k.does, func(t *testing.T) {
			t.Parallel()
			if k.on == nil {
				synctest.Test(t, func(t *testing.T) {
					th := newTheatre(t)
					th.types(k.typed)
					th.pass(3 * time.Second)
					th.shows(k.shows...)
				})
			} else {
				b := k.on(t)
				k.press(b)
				b.shows(k.shows...)
			}
			if k.count() > k.most {
				t.Errorf("it takes %d keys, more than %d", k.count(), k.most)
			}
		})
	}
}

// TestTaskTable compares the task table in the documentation with these errands; -update
// writes it.
func TestTaskTable(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	table.WriteString("| task | keys |\n|---|---|\n")
	for _, k := range errands() {
		names := strings.Fields(k.keys)
		for i, name := range names {
			if name == "…" {
				names[i] = "*" + k.typed + "*"
				continue
			}
			names[i] = "`" + name + "`"
		}
		fmt.Fprintf(&table, "| %s | %s |\n", k.does, strings.Join(names, " "))
	}
	testkit.CheckSection(t, "../docs/user/day.md", "tasks", table.String())
}
