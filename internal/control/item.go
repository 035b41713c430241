package control

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// Document 1 has no operation that reads the items of a list. If the outcome of an action on items
// is unknown, the report therefore compares the campaigns' numbers of contacts in the live feed
// before and after the action.

// AddItems adds items to lists. It sends the request only once.
func (d *Lists) AddItems(ctx context.Context, items []resource.Item) words.ActionReport {
	n := len(items)
	say := phrases{failed: words.ControlItemsNotAdded(n), unknownOutcome: words.ControlItemsAddUnclear(n), advice: words.ControlItemsAddAdvice(), reasons: itemReasons()}
	seen := contactFigures{lists: d, items: items, phrases: say}
	return d.executor.run(ctx, &action{
		operation: resource.OpItemsAdd, targetKind: "items", target: listNames(items), exclusive: true, params: itemParams(items), phrases: say,
		read: seen.storeSnapshot, resolve: seen.resolve,
		send: func(ctx context.Context) (words.ActionReport, error) {
			answer, err := d.service.AddItems(ctx, items)
			switch {
			case err != nil:
				return words.ActionReport{}, err
			case string(answer) == "false":
				return say.rejectedReport(words.ControlDeclined()), nil
			case !isSuccess(answer):
				return say.unknownReport(words.ControlAnswerNotUnderstood(), words.Text{}), nil
			}
			r := confirmedReport(words.ControlItemsAdded(n, describeLists(items)))
			r.IDs = idsFromAnswer(answer, n)
			return r, nil
		},
	})
}

// DeleteItems deletes items from lists. It sends the request only once.
func (d *Lists) DeleteItems(ctx context.Context, items []resource.Item, resetStats bool) words.ActionReport {
	n := len(items)
	params := itemParams(items)
	params["resetStats"] = strconv.FormatBool(resetStats)
	say := phrases{failed: words.ControlItemsNotDeleted(n), unknownOutcome: words.ControlItemsDeleteUnclear(n), advice: words.ControlItemsDeleteAdvice(), reasons: itemReasons()}
	seen := contactFigures{lists: d, items: items, phrases: say}
	return d.executor.run(ctx, &action{
		operation: resource.OpItemsDelete, targetKind: "items", target: listNames(items), exclusive: true, params: params, phrases: say,
		read: seen.storeSnapshot, resolve: seen.resolve,
		send: func(ctx context.Context) (words.ActionReport, error) {
			deleted, err := d.service.DeleteItems(ctx, items, &resetStats)
			if err != nil {
				return words.ActionReport{}, err
			}
			if len(deleted) == 0 {
				return say.rejectedReport(words.ControlItemsNoneDeleted()), nil
			}
			r := confirmedReport(words.ControlItemsDeleted(len(deleted), describeLists(items)))
			if len(deleted) != n {
				r.Warning = words.ControlItemsPartlyDeleted(n, len(deleted))
			}
			return r, nil
		},
	})
}

// ResetItems resets the items of all lists, because document 1 has no way to select lists. It sends
// the request only once.
func (d *Lists) ResetItems(ctx context.Context) words.ActionReport {
	say := phrases{failed: words.ControlItemsNotReset(), unknownOutcome: words.ControlItemsResetUnclear(), advice: words.ControlItemsResetAdvice()}
	return d.executor.run(ctx, &action{
		operation: resource.OpItemsReset, targetKind: "items", target: "all lists", exclusive: true, phrases: say,
		send: func(ctx context.Context) (words.ActionReport, error) {
			ok, err := d.service.ResetItems(ctx)
			switch {
			case err != nil:
				return words.ActionReport{}, err
			case !ok:
				return say.rejectedReport(words.ControlDeclined()), nil
			}
			return confirmedReport(words.ControlItemsReset()), nil
		},
	})
}

// isSuccess reports whether the answer to adding items means success. Document 1 does not show the
// format of the answer, so an empty answer, true, a number and a list all count as success.
func isSuccess(answer json.RawMessage) bool {
	switch s := string(answer); {
	case s == "", s == "true", s[0] == '[', s[0] >= '0' && s[0] <= '9':
		return true
	}
	return false
}

// idsFromAnswer returns the IDs in the answer to adding n items, separated by commas, or "". The
// answer may be a list of items, a list of IDs, or a number. A number counts as an ID only if n is
// 1 and the number is above 1; otherwise it may be a count.
func idsFromAnswer(answer json.RawMessage, n int) string {
	var (
		ids   []int
		one   int
		items []resource.Item
	)
	switch {
	case json.Unmarshal(answer, &ids) == nil:
	case json.Unmarshal(answer, &one) == nil:
		if ids = nil; n == 1 && one > 1 {
			ids = []int{one}
		}
	case json.Unmarshal(answer, &items) == nil:
		ids = nil // drop IDs that were read before the error
		for _, item := range items {
			if item.ID != nil {
				ids = append(ids, *item.ID)
			}
		}
	}
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.Itoa(id)
	}
	return strings.Join(texts, ", ")
}

func itemReasons() map[error]words.Text {
	return map[error]words.Text{
		restclient.ErrNotFound:           words.ControlItemsUnknown(),
		restclient.ErrPreconditionFailed: words.ControlItemsIncomplete(),
	}
}

// describeLists returns the campaigns and lists that items name, or "the lists".
func describeLists(items []resource.Item) []words.Text {
	var campaigns, lists []string
	add := func(ids []string, id *int) []string {
		if text := resource.IntText(id); id != nil && !slices.Contains(ids, text) {
			return append(ids, text)
		}
		return ids
	}
	for _, i := range items {
		campaigns, lists = add(campaigns, i.CampaignID), add(lists, i.ListID)
	}
	var out []words.Text
	for _, id := range slices.Sorted(slices.Values(campaigns)) {
		out = append(out, words.ControlCampaignId(id))
	}
	for _, id := range slices.Sorted(slices.Values(lists)) {
		out = append(out, words.ControlListId(id))
	}
	if len(out) == 0 {
		return []words.Text{words.ControlTheLists()}
	}
	return out
}

// listNames returns the result of [describeLists] for the audit file.
func listNames(items []resource.Item) string { return words.List(describeLists(items)).In(nil) }

// itemParams returns the parameters for the audit file: the number of items, and the ID and
// telephone number of each item. For an item without an ID, it uses the item number.
func itemParams(items []resource.Item) map[string]string {
	names := make([]string, 0, len(items))
	for _, i := range items {
		name := resource.IntText(i.ID)
		if name == "" {
			name = resource.IntText(i.ItemNumber)
		}
		names = append(names, strings.TrimSpace(name+" "+i.PhoneNumber))
	}
	return map[string]string{"count": strconv.Itoa(len(items)), "items": strings.Join(names, ", ")}
}
