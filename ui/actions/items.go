package actions

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
)

// maxPastedCharacters limits the length of pasted items, in characters, and thus the size of a request.
const maxPastedCharacters = 1 << 16

// addItems opens a form for adding items to a list. list is the proposed ID of the list; it may be
// nil.
func (a *listActions) addItems(list *int) tea.Cmd {
	d, cmd := a.orders.openForm(words.ActListAddItems(), a.orders.ellipsis(words.ActButtonAdd()), []dialog.Field{
		{ID: "list", Label: a.orders.translate(words.ActFieldListId()), Kind: dialog.NumberField, Value: resource.IntText(list), Required: true},
		{ID: "campaign", Label: a.orders.translate(words.ActFieldCampaignId()), Kind: dialog.NumberField, Hint: a.orders.translate(words.ActFieldHintCampaign())},
		{
			ID: "items", Label: a.orders.translate(words.ActFieldItems()), Kind: dialog.BodyField, Required: true, MaxLength: maxPastedCharacters,
			Hint: a.orders.translate(words.ActFieldHintItems()), Check: itemNotation().checkFor(nil),
		},
	})
	d.Remark = func() string {
		typed, err := itemNotation().parseLines(d.Fields.Value("items"), nil)
		if err != nil {
			return "" // the error is shown below the field
		}
		return a.orders.translate(words.ActListItems(len(typed)))
	}
	d.OnSubmit = func() tea.Cmd {
		typed, _ := itemNotation().parseLines(d.Fields.Value("items"), nil) // the form has already checked the text, so there is no error
		for i := range typed {
			typed[i].ListID, typed[i].CampaignID = optionalInt(d.Fields, "list"), optionalInt(d.Fields, "campaign")
		}
		list, items := d.Fields.Value("list"), words.ActListItems(len(typed))
		return a.orders.confirmForm(d, actionOrder{
			operation: resource.OpItemsAdd, target: words.ActListTargetItems(list, items),
			execute: func(ctx context.Context, c *Controller) words.ActionReport { return c.Lists.AddItems(ctx, typed) },
		}, dialog.Question{
			Text:  a.orders.translate(words.ActListAskAdd(items, list)),
			Lines: []string{a.orders.look().JoinFirst(strings.Split(itemNotation().formatLines(typed), "\n"), 10, "\n")}, YesLabel: a.orders.translate(words.ActButtonAdd()),
		})
	}
	return cmd
}

// deleteItems opens a form for deleting items from a list. list is the proposed ID of the list; it
// may be nil.
func (a *listActions) deleteItems(list *int) tea.Cmd {
	d, cmd := a.orders.openForm(words.ActListDeleteItems(), a.orders.ellipsis(words.ActButtonDelete()), []dialog.Field{
		{ID: "list", Label: a.orders.translate(words.ActFieldListId()), Kind: dialog.NumberField, Value: resource.IntText(list), Required: true},
		{
			ID: "items", Label: a.orders.translate(words.ActFieldItemIds()), Kind: dialog.BodyField, Required: true, MaxLength: maxPastedCharacters,
			Hint: a.orders.translate(words.ActFieldHintItemIds()), Check: checkParsed(parseIDs),
		},
		{
			ID: "reset", Label: a.orders.translate(words.ActFieldResetStatistics()), Kind: dialog.ChoiceField, Choices: []string{dialog.No, dialog.Yes},
			Value: dialog.No, Required: true,
			Hint: a.orders.translate(words.ActFieldHintReset()),
		},
	})
	d.OnSubmit = func() tea.Cmd {
		ids, _ := parseIDs(d.Fields.Value("items")) // the form has already checked the text, so there is no error
		items := make([]resource.Item, len(ids))
		for i, id := range ids {
			items[i] = resource.Item{ID: &id, ListID: optionalInt(d.Fields, "list")}
		}
		reset := d.Fields.Value("reset") == dialog.Yes
		list, count := d.Fields.Value("list"), words.ActListItems(len(ids))
		named := a.orders.look().JoinFirst(splitValues(d.Fields.Value("items")), 100, ", ")
		lines := []string{a.orders.translate(words.ActListItemIds(named)), a.orders.translate(words.ActNoUndo())}
		if reset {
			lines = append(lines, "", a.orders.translate(words.ActListDeleteClears()))
		}
		return a.orders.confirmForm(d, actionOrder{
			operation: resource.OpItemsDelete, target: words.ActListTargetItems(list, count),
			execute: func(ctx context.Context, c *Controller) words.ActionReport {
				return c.Lists.DeleteItems(ctx, items, reset)
			},
		}, dialog.Question{
			Text: a.orders.translate(words.ActListAskDelete(count, list)), Lines: lines,
			YesLabel: a.orders.translate(words.ActButtonDelete()), ConfirmWord: a.orders.translate(words.ActListConfirmDelete()),
		})
	}
	return cmd
}

// resetItems resets the items of all lists, because the platform cannot reset the items of one
// list. The viewer must type "reset all" to confirm.
func (a *listActions) resetItems() tea.Cmd {
	if reason := a.orders.refusal(resource.OpItemsReset); reason != "" {
		return a.orders.dialogs.ShowMessage(reason)
	}
	return a.orders.confirm(nil, actionOrder{
		operation: resource.OpItemsReset, target: words.ActListTargetReset(),
		execute: func(ctx context.Context, c *Controller) words.ActionReport { return c.Lists.ResetItems(ctx) },
	}, dialog.Question{
		Text:     a.orders.translate(words.ActListAskReset()),
		Lines:    []string{a.orders.translate(words.ActListResetScope()), a.orders.translate(words.ActListResetAgain())},
		YesLabel: a.orders.translate(words.ActButtonResetAll()), ConfirmWord: a.orders.translate(words.ActListConfirmReset()),
	})
}
