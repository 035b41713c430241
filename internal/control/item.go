package control

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wallboard/model/resource"
	"wallboard/restclient"
)

// Document 1 has no operation that reads the items of a list. If the outcome of an action on items
// is unknown, the report therefore compares the campaigns' numbers of contacts in the live feed
// before and after the action.

// AddItems adds items to lists. It sends the request only once.
func (d *Lists) AddItems(ctx context.Context, items []resource.Item) resource.Report {
	what, were := describeCount(items)
	say := newPhrases(what, were+" added", "compare the campaign's contacts before adding them again", itemReasons())
	seen := contactFigures{lists: d, items: items, phrases: say}
	return d.executor.run(ctx, &action{
		operation: resource.OpItemsAdd, kind: "items", target: describeLists(items), exclusive: true, params: itemParams(items), phrases: say,
		read: seen.storeSnapshot, resolve: seen.resolve,
		send: func(ctx context.Context) (resource.Report, error) {
			answer, err := d.service.AddItems(ctx, items)
			switch {
			case err != nil:
				return resource.Report{}, err
			case string(answer) == "false":
				return say.rejectedReport("the platform did not do it"), nil
			case !isSuccess(answer):
				return say.unknownReport("the platform's answer could not be understood"), nil
			}
			r := confirmedReport("%s %s added to %s.", what, were, describeLists(items))
			r.IDs = idsFromAnswer(answer, len(items))
			return r, nil
		},
	})
}

// DeleteItems deletes items from lists. It sends the request only once.
func (d *Lists) DeleteItems(ctx context.Context, items []resource.Item, resetStats bool) resource.Report {
	what, were := describeCount(items)
	params := itemParams(items)
	params["resetStats"] = strconv.FormatBool(resetStats)
	say := newPhrases(what, were+" deleted", "compare the campaign's contacts before deleting them again", itemReasons())
	seen := contactFigures{lists: d, items: items, phrases: say}
	return d.executor.run(ctx, &action{
		operation: resource.OpItemsDelete, kind: "items", target: describeLists(items), exclusive: true, params: params, phrases: say,
		read: seen.storeSnapshot, resolve: seen.resolve,
		send: func(ctx context.Context) (resource.Report, error) {
			deleted, err := d.service.DeleteItems(ctx, items, &resetStats)
			if err != nil {
				return resource.Report{}, err
			}
			if len(deleted) == 0 {
				return say.rejectedReport("the platform deleted none of them; it may not know them, or have called them already"), nil
			}
			what, were := describeCount(deleted)
			r := confirmedReport("%s %s deleted from %s.", what, were, describeLists(items))
			if len(deleted) != len(items) {
				r.Warning = fmt.Sprintf("Of %d that were to be deleted the platform says that it deleted %d.", len(items), len(deleted))
			}
			return r, nil
		},
	})
}

// ResetItems resets the items of all lists, because document 1 has no way to select lists. It sends
// the request only once.
func (d *Lists) ResetItems(ctx context.Context) resource.Report {
	say := newPhrases("the items of all lists", "were reset", "compare the campaigns' contacts before resetting them again", nil)
	return d.executor.run(ctx, &action{
		operation: resource.OpItemsReset, kind: "items", target: "all lists", exclusive: true, phrases: say,
		send: func(ctx context.Context) (resource.Report, error) {
			ok, err := d.service.ResetItems(ctx)
			switch {
			case err != nil:
				return resource.Report{}, err
			case !ok:
				return say.rejectedReport("the platform did not do it"), nil
			}
			return confirmedReport("The items of all lists were reset."), nil
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
// answer may be a list of items, a list of IDs, or the ID of a single item. If n is above 1, a
// number is a count and not an ID.
func idsFromAnswer(answer json.RawMessage, n int) string {
	var (
		ids  []int
		one  int
		some []resource.Item
	)
	switch {
	case json.Unmarshal(answer, &ids) == nil:
	case json.Unmarshal(answer, &one) == nil:
		if ids = nil; n == 1 && one > 1 {
			ids = []int{one}
		}
	case json.Unmarshal(answer, &some) == nil:
		ids = nil // drop IDs that were read before the error
		for _, item := range some {
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

func itemReasons() map[error]string {
	return map[error]string{
		restclient.ErrNotFound: "the platform does not know an item, a list or a campaign among them",
		restclient.ErrRequired: "the platform wants something that one of them lacks",
	}
}

// describeCount returns the number of items, such as "2 items", and the verb that follows it.
func describeCount(items []resource.Item) (what, were string) {
	if len(items) == 1 {
		return "1 item", "was"
	}
	return strconv.Itoa(len(items)) + " items", "were"
}

// describeLists returns the lists and campaigns that items name, separated by commas, or "the
// lists".
func describeLists(items []resource.Item) string {
	var names []string
	add := func(kind string, id *int) {
		if name := kind + " " + resource.IntText(id); id != nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, i := range items {
		add("list", i.ListID)
		add("campaign", i.CampaignID)
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "the lists"
	}
	return strings.Join(names, ", ")
}

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
