package actions

import (
	"context"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/style"
)

// editCampaign reads the settings of a campaign from the platform and opens a form for changing
// them.
func (a *campaignActions) editCampaign(t floorview.Target) tea.Cmd {
	return a.orders.dialogs.Open(&dialog.Loading[resource.Campaign]{
		Dialogs: a.orders.dialogs, Name: a.orders.translate(words.ActCampaignEdit(t.Name)),
		Read: withController(a.orders, func(ctx context.Context, c *Controller) (resource.Campaign, error) {
			return c.Campaigns.Campaign(ctx, t.CampaignID())
		}),
		OnLoaded: func(v resource.Campaign) tea.Cmd { return a.editSettings(t, v, nil) },
	})
}

// editSettings opens a form for changing the settings of a campaign. The viewer confirms the
// changes before the board sends them. onSuccess, which may be nil, is called after a successful
// change.
func (a *campaignActions) editSettings(t floorview.Target, before resource.Campaign, onSuccess func() tea.Cmd) tea.Cmd {
	d, cmd := a.orders.openForm(words.ActCampaignEdit(t.Name), a.orders.ellipsis(words.ActButtonSave()), campaignFields(a.orders.look(), before, true))
	d.OnSubmit = func() tea.Cmd {
		after := campaignFromForm(d.Fields, before)
		diff := resource.Diff(before, after)
		if len(diff) == 0 {
			return d.ShowMessage(a.orders.translate(words.ActNothingChanged()))
		}
		if reason := periodError(d.Fields); !reason.IsZero() {
			return d.ShowMessage(a.orders.translate(reason))
		}
		if reason := a.orders.refusal(resource.OpCampaignUpdate); reason != "" {
			return d.ShowMessage(reason)
		}
		return a.orders.dialogs.OpenQuestionDialog(dialog.Question{
			Name: a.orders.translate(words.ResourceCampaignUpdateTitle()), Text: a.orders.translate(words.ActCampaignAskChange(t.Name)),
			Lines: changeLines(a.orders.look(), diff), Subject: a.orders.questionSubject(t),
			YesLabel: a.orders.translate(words.ActButtonSave()), CheckboxLabel: a.orders.translate(words.ActCampaignClearRestart()),
			OnYes: func(reset bool) tea.Cmd {
				return a.orders.send(actionOrder{
					operation: resource.OpCampaignUpdate, target: words.Name(t.Name), names: []string{t.Name}, markedTarget: t, onSuccess: onSuccess,
					execute: func(ctx context.Context, c *Controller) words.ActionReport {
						return c.Campaigns.UpdateCampaign(ctx, before, after, reset)
					},
				}, d)
			},
		})
	}
	return cmd
}

// periodError returns an error message if the campaign would end before it starts, and otherwise the
// zero Text.
func periodError(f *dialog.Fields) words.Text {
	from, begins := f.Date("start")
	to, ends := f.Date("end")
	if begins && ends && to.Before(from) {
		return words.ActCampaignNeverRuns()
	}
	return words.Text{}
}

// createCampaign opens the form for a new campaign.
func (a *campaignActions) createCampaign() tea.Cmd {
	d, cmd := a.orders.openForm(words.ActCampaignNew(), a.orders.ellipsis(words.ActButtonCreate()), campaignFields(a.orders.look(), resource.Campaign{}, false))
	d.OnSubmit = func() tea.Cmd {
		after := campaignFromForm(d.Fields, resource.Campaign{})
		if reason := periodError(d.Fields); !reason.IsZero() {
			return d.ShowMessage(a.orders.translate(reason))
		}
		return a.orders.dialogs.OpenQuestionDialog(dialog.Question{
			Name: a.orders.translate(words.ResourceCampaignCreateTitle()), Text: a.orders.translate(words.ActCampaignAskCreate(after.Name)),
			Lines: changeLines(a.orders.look(), resource.Diff(resource.Campaign{}, after)), YesLabel: a.orders.translate(words.ActButtonCreate()),
			OnYes: func(bool) tea.Cmd {
				return a.orders.send(actionOrder{
					operation: resource.OpCampaignCreate, target: words.ActCampaignTarget(after.Name), names: []string{after.Name},
					execute: func(ctx context.Context, c *Controller) words.ActionReport {
						return c.Campaigns.CreateCampaign(ctx, after)
					},
				}, d)
			},
		})
	}
	return cmd
}

// campaignNumbers returns pointers to the numeric fields of a campaign, by the IDs of the form
// fields.
func campaignNumbers(c *resource.Campaign) map[string]**int {
	return map[string]**int{
		"abilitation": &c.AbilitazioneID, "priority": &c.Priority,
		"reserved": &c.ReservedChannels, "busy": &c.BusyChannels,
	}
}

// campaignTimes returns pointers to the time fields of a campaign, by the IDs of the form fields.
func campaignTimes(c *resource.Campaign) map[string]*resource.Time {
	return map[string]*resource.Time{"start": &c.StartDate, "end": &c.EndDate}
}

// campaignFields returns the form fields for a campaign. known is true for an existing campaign.
// Its name, service and permission cannot be changed. Its lists can be enabled, disabled and given
// another priority, but lists cannot be added or removed.
func campaignFields(lk *style.Look, c resource.Campaign, known bool) []dialog.Field {
	var fields []dialog.Field
	if !known {
		fields = append(fields,
			dialog.Field{ID: "name", Label: translate(lk, words.ActFieldName()), Required: true},
			dialog.Field{ID: "service", Label: translate(lk, words.ActFieldServiceCode()), Required: true},
			dialog.Field{ID: "abilitation", Label: translate(lk, words.ActFieldPermissionId()), Kind: dialog.NumberField})
	}
	fields = append(fields,
		dialog.Field{ID: "enabled", Label: translate(lk, words.ActFieldEnabled()), Kind: dialog.ToggleField, Value: chooseYesNo(c.Enabled, dialog.Yes, dialog.No)},
		dialog.Field{ID: "priority", Label: translate(lk, words.ActFieldPriority()), Kind: dialog.NumberField, Value: resource.IntText(c.Priority)},
		dialog.Field{ID: "reserved", Label: translate(lk, words.ActFieldReservedLines()), Kind: dialog.NumberField, Value: resource.IntText(c.ReservedChannels), Check: dialog.CheckNotNegative},
		dialog.Field{ID: "busy", Label: translate(lk, words.ActFieldBusyLines()), Kind: dialog.NumberField, Value: resource.IntText(c.BusyChannels), Check: dialog.CheckNotNegative},
		dialog.Field{
			ID: "busyType", Label: translate(lk, words.ActFieldBusyLinesType()), Kind: dialog.ChoiceField, AnyText: true, Choices: []string{"PRESENT"},
			Value: c.BusyChannelsType,
		},
		dialog.Field{ID: "start", Label: translate(lk, words.ActFieldStartDate()), Kind: dialog.DateField, Value: formatTime(lk, c.StartDate)},
		dialog.Field{ID: "end", Label: translate(lk, words.ActFieldEndDate()), Kind: dialog.DateField, Value: formatTime(lk, c.EndDate)})
	for i, l := range c.Lists {
		id, list := strconv.Itoa(i), orDefault(resource.IntText(l.ListID), "?")
		fields = append(fields,
			dialog.Field{ID: "on" + id, Label: translate(lk, words.ActFieldListEnabled(list)), Kind: dialog.ToggleField, Value: chooseYesNo(l.Enabled, dialog.Yes, dialog.No)},
			dialog.Field{ID: "rank" + id, Label: translate(lk, words.ActFieldListPriority(list)), Kind: dialog.NumberField, Value: resource.IntText(l.Priority)})
	}
	if !known {
		fields = append(fields, dialog.Field{
			ID: "lists", Label: translate(lk, words.ActFieldLists()), Kind: dialog.BodyField, Hint: translate(lk, words.ActFieldHintLists()), Check: checkParsed(parseCampaignLists),
		})
	}
	return append(fields,
		dialog.Field{
			ID: "type", Label: translate(lk, words.ActFieldType()), Kind: dialog.ChoiceField, AnyText: true, Choices: []string{"CALL"}, Value: c.Type,
			Hint: translate(lk, words.ActFieldHintEdition()), Hidden: true,
		},
		dialog.Field{
			ID: "notify", Label: translate(lk, words.ActFieldUsersToNotify()), Value: strings.Join(c.UsersToNotify, ", "), MaxLength: maxNotifyLength,
			Hint: translate(lk, words.ActFieldHintNotify()), Hidden: true,
		})
}

// maxNotifyLength is the maximum length of the list of users to notify, in characters. It limits
// the text that a viewer can paste.
const maxNotifyLength = 2000

// campaignFromForm returns a copy of before with the changes that the viewer made in the form.
func campaignFromForm(f *dialog.Fields, before resource.Campaign) resource.Campaign {
	after := before
	after.Lists = slices.Clone(before.Lists)
	numbers, times := campaignNumbers(&after), campaignTimes(&after)
	for _, id := range f.Changed() {
		switch {
		case numbers[id] != nil:
			*numbers[id] = optionalInt(f, id)
		case times[id] != nil:
			*times[id] = resource.Time{}
			if at, ok := f.Date(id); ok {
				*times[id] = resource.TimeOf(at)
			}
		default:
			setCampaignField(f, id, &after)
		}
	}
	for i := range before.Lists {
		enabled, rank := "on"+strconv.Itoa(i), "rank"+strconv.Itoa(i)
		if slices.Contains(f.Changed(), enabled) {
			after.Lists[i].Enabled = f.Bool(enabled)
		}
		if slices.Contains(f.Changed(), rank) {
			after.Lists[i].Priority = optionalInt(f, rank)
		}
	}
	return after
}

// setCampaignField sets the field of c that belongs to the form field with the given ID. It handles
// all fields except numbers, times and the settings of existing lists.
func setCampaignField(f *dialog.Fields, id string, c *resource.Campaign) {
	switch id {
	case "name":
		c.Name = f.Value(id)
	case "service":
		c.ServiceCode = f.Value(id)
	case "enabled":
		c.Enabled = f.Bool(id)
	case "busyType":
		c.BusyChannelsType = f.Value(id)
	case "type":
		c.Type = f.Value(id)
	case "notify":
		c.UsersToNotify = splitValues(f.Value(id))
	case "lists":
		c.Lists, _ = parseCampaignLists(f.Value(id)) // the form has already checked the text, so there is no error
	}
}

var errCampaignList = words.NewError(words.ActFieldErrorCampaignList(), nil)

// parseCampaignLists parses the lists of a campaign. Each line of text contains the ID of a list
// and, optionally, its priority. All lists in the result are enabled.
func parseCampaignLists(text string) ([]resource.CampaignList, error) {
	var out []resource.CampaignList
	for line := range strings.SplitSeq(text, "\n") {
		values := strings.Fields(line)
		if len(values) == 0 {
			continue
		}
		enabled := true
		use := resource.CampaignList{Enabled: &enabled}
		var err error
		if use.ListID, err = parseWholeNumber(values[0]); err == nil && len(values) > 1 {
			use.Priority, err = parseWholeNumber(values[1])
		}
		if err != nil || len(values) > 2 {
			return nil, errCampaignList
		}
		out = append(out, use)
	}
	return out, nil
}
