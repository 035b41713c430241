package actions

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/model/resource"
	"wallboard/ui/dialog"
)

// maxItemsLength limits the length of pasted items, in characters, and thus the size of a request.
const maxItemsLength = 1 << 16

// addItems opens a form for adding items to a list. list is the proposed ID of the list; it may be
// nil.
func (a *listActions) addItems(list *int) tea.Cmd {
	d, cmd := a.orders.openForm("Add items to a list", "Add"+a.orders.look().Glyphs.Ellipsis, []dialog.Field{
		{ID: "list", Label: "List id", Kind: dialog.NumberField, Value: resource.IntText(list), Required: true},
		{ID: "campaign", Label: "Campaign id", Kind: dialog.NumberField, Hint: "empty: whichever uses the list"},
		{
			ID: "items", Label: "Items", Kind: dialog.BodyField, Required: true, MaxLength: maxItemsLength,
			Hint: "type or paste one a line: number;data;data", Check: itemNotation().checkFor(nil),
		},
	})
	d.Remark = func() string {
		typed, err := itemNotation().parseLines(d.Fields.Value("items"), nil)
		if err != nil {
			return "" // the error is shown below the field
		}
		return a.orders.look().Count(len(typed)) + " items"
	}
	d.OnSubmit = func() tea.Cmd {
		typed, _ := itemNotation().parseLines(d.Fields.Value("items"), nil) // the form has already checked the text, so there is no error
		for i := range typed {
			typed[i].ListID, typed[i].CampaignID = optionalInt(d.Fields, "list"), optionalInt(d.Fields, "campaign")
		}
		list := "list " + d.Fields.Value("list")
		count := a.orders.look().Count(len(typed))
		return a.orders.confirmForm(d, order{
			operation: resource.OpItemsAdd, target: list + ", " + count + " items",
			execute: func(ctx context.Context, c *Controller) resource.Report { return c.Lists.AddItems(ctx, typed) },
		}, dialog.Question{
			Text: "Add " + count + " items to " + list + "?", Lines: []string{a.orders.look().JoinFirst(strings.Split(itemNotation().formatLines(typed), "\n"), 10, "\n")}, YesLabel: "Add",
		})
	}
	return cmd
}

// deleteItems opens a form for deleting items from a list. list is the proposed ID of the list; it
// may be nil.
func (a *listActions) deleteItems(list *int) tea.Cmd {
	d, cmd := a.orders.openForm("Delete items of a list", "Delete"+a.orders.look().Glyphs.Ellipsis, []dialog.Field{
		{ID: "list", Label: "List id", Kind: dialog.NumberField, Value: resource.IntText(list), Required: true},
		{
			ID: "items", Label: "Item ids", Kind: dialog.BodyField, Required: true, MaxLength: maxItemsLength,
			Hint: "with blanks, commas or line breaks between them", Check: checkParsed(parseIDs),
		},
		{
			ID: "reset", Label: "Reset statistics", Kind: dialog.ChoiceField, Choices: []string{dialog.No, dialog.Yes},
			Value: dialog.No, Required: true,
			Hint: "clears the list's statistics and restarts a running campaign; without it the deletion is not consolidated",
		},
	})
	d.OnSubmit = func() tea.Cmd {
		ids, _ := parseIDs(d.Fields.Value("items")) // the form has already checked the text, so there is no error
		items := make([]resource.Item, len(ids))
		for i, id := range ids {
			items[i] = resource.Item{ID: &id, ListID: optionalInt(d.Fields, "list")}
		}
		reset := d.Fields.Value("reset") == dialog.Yes
		list := "list " + d.Fields.Value("list")
		count := a.orders.look().Count(len(ids))
		lines := []string{"Items " + a.orders.look().JoinFirst(splitValues(d.Fields.Value("items")), 100, ", "), "They cannot be brought back."}
		if reset {
			lines = append(lines, "", "The statistics of the list are cleared as well, and a running campaign is restarted.")
		}
		return a.orders.confirmForm(d, order{
			operation: resource.OpItemsDelete, target: list + ", " + count + " items",
			execute: func(ctx context.Context, c *Controller) resource.Report {
				return c.Lists.DeleteItems(ctx, items, reset)
			},
		}, dialog.Question{
			Text: "Delete " + count + " items of " + list + "?", Lines: lines, YesLabel: "Delete", ConfirmWord: "delete",
		})
	}
	return cmd
}

// resetItems resets the items of all lists, because the platform cannot reset the items of one
// list. The viewer must type "reset all" to confirm.
func (a *listActions) resetItems() tea.Cmd {
	if reason := a.orders.refusal(resource.OpItemsReset); reason != "" {
		return a.orders.dialogs.Say(reason)
	}
	return a.orders.confirm(nil, order{
		operation: resource.OpItemsReset, target: "ALL items of ALL lists",
		execute: func(ctx context.Context, c *Controller) resource.Report { return c.Lists.ResetItems(ctx) },
	}, dialog.Question{
		Text: "Reset ALL items of ALL lists?",
		Lines: []string{
			"This is not about one list: the platform resets the items of every list, of every campaign.",
			"Contacts that were already reached may be called again.",
		},
		YesLabel: "Reset all", ConfirmWord: "reset all",
	})
}
