package control

import (
	"context"
	"fmt"
	"strconv"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// StartCampaign starts a campaign. It sends the request only once. An unknown outcome is resolved
// by comparing the live figures of the campaign before and after the request.
func (d *Campaigns) StartCampaign(ctx context.Context, s resource.CampaignSwitch) resource.Report {
	c := &campaignSwitch{campaigns: d, order: s, request: d.service.StartCampaign, doneText: "was started", hasEffect: hasStarted}
	c.operation = resource.OpCampaignStart
	return d.switchCampaign(ctx, c)
}

// StopCampaign stops a campaign. It sends the request only once. An unknown outcome is resolved by
// comparing the live figures of the campaign before and after the request.
func (d *Campaigns) StopCampaign(ctx context.Context, s resource.CampaignSwitch) resource.Report {
	c := &campaignSwitch{campaigns: d, order: s, request: d.service.StopCampaign, doneText: "was stopped", hasEffect: hasStopped}
	c.operation = resource.OpCampaignStop
	return d.switchCampaign(ctx, c)
}

type campaignSwitch struct {
	action

	campaigns       *Campaigns
	order           resource.CampaignSwitch
	request         func(ctx context.Context, id int, resetStats *bool) (bool, error)
	doneText        string
	hasEffect       func(before, now *model.Campaign) bool // reports whether the live figures show the effect
	name            string
	before          *model.Campaign
	noFiguresReason string // reason why there were no live figures before the request; "": there were
}

func (d *Campaigns) switchCampaign(ctx context.Context, c *campaignSwitch) resource.Report {
	c.kind, c.target = "campaign", "campaign "+strconv.Itoa(c.order.ID)
	c.params = map[string]string{"resetStats": strconv.FormatBool(c.order.ResetStats)}
	c.read, c.send, c.resolve = c.readCampaign, c.sendSwitch, c.resolveByFigures
	c.setName("campaign " + strconv.Itoa(c.order.ID))
	return d.executor.run(ctx, &c.action)
}

// setName sets the name of the campaign in the texts of the action.
func (c *campaignSwitch) setName(name string) {
	c.name = name
	c.phrases = newPhrases(name, c.doneText, "look at its channels and calls before you try again", map[error]string{
		restclient.ErrNotFound: "the platform has no such campaign",
		restclient.ErrRequired: "the platform lacks something that the campaign needs",
	})
}

func (c *campaignSwitch) readCampaign(ctx context.Context) *resource.Report {
	found, err := c.campaigns.findCampaign(ctx, c.order.ID)
	switch {
	case err != nil && !isRefused(err):
		return c.campaigns.executor.unreachable(err, c.phrases.rejectedSentence)
	case err == nil && found == nil:
		r := c.phrases.rejectedReport("the platform has no such campaign")
		return &r
	case found != nil:
		c.setName(describeCampaign(*found))
	}
	if c.before = c.campaigns.feed.campaignFigures(c.order.ID); c.before == nil || !c.before.AllocatedChannels.Known() {
		c.noFiguresReason = c.campaigns.feed.noFiguresReason(c.order.ID)
	}
	return nil
}

func (c *campaignSwitch) sendSwitch(ctx context.Context) (resource.Report, error) {
	ok, err := c.request(ctx, c.order.ID, &c.order.ResetStats)
	switch {
	case err != nil:
		return resource.Report{}, err
	case !ok:
		return c.phrases.rejectedReport("the platform answered no; it may be in that state already, or be disabled"), nil
	}
	return c.confirmedReport(), nil
}

func (c *campaignSwitch) confirmedReport() resource.Report {
	text := capital(c.name) + " " + c.doneText
	if c.operation == resource.OpCampaignStart && c.before != nil && isPositive(c.before.AllocatedChannels) {
		text = capital(c.name) + " was running already"
	}
	if c.order.ResetStats {
		text += " and its statistics were reset"
	}
	return confirmedReport("%s.", text)
}

// isDone reports whether the live figures prove that everything requested was done. The platform
// resets the statistics after a stop, so a reset proves the stop. It resets them before a start, so
// the start needs its own proof.
func (c *campaignSwitch) isDone(now *model.Campaign) bool {
	switch {
	case !c.order.ResetStats:
		return c.hasEffect(c.before, now)
	case c.operation == resource.OpCampaignStop:
		return wereStatsReset(c.before, now)
	}
	return wereStatsReset(c.before, now) && c.hasEffect(c.before, now)
}

// resolveByFigures returns a report based on the live figures. Without figures from before the
// request, it does not wait for a change, because the current figures alone prove nothing.
func (c *campaignSwitch) resolveByFigures(ctx context.Context, err error) *resource.Report {
	r := c.confirmedReport()
	now := c.campaigns.feed.campaignFigures(c.order.ID)
	if c.noFiguresReason == "" && c.campaigns.executor.poll(ctx, func() bool {
		now = c.campaigns.feed.campaignFigures(c.order.ID)
		return c.isDone(now)
	}) {
		return &r
	}
	why := reasonText(err, nil)
	switch {
	case now != nil && now.AllocatedChannels.Known():
		why += fmt.Sprintf(". It has %d channels now", now.AllocatedChannels.Or(0))
	case c.noFiguresReason == "":
		why += ". It could not be looked up: " + c.campaigns.feed.noFiguresReason(c.order.ID)
	}
	if c.noFiguresReason != "" {
		why += ". Its state before is unknown: " + c.noFiguresReason
	}
	r = c.phrases.unknownReport(why)
	return &r
}

// edition14Fields lists the fields of a campaign that edition 1.0.2 does not have.
var edition14Fields = []string{"type", "usersToNotify"}

func describeCampaign(c resource.Campaign) string {
	return describeNamed("campaign", c.Name, resource.IntText(c.ID))
}

// describeNamed describes a resource by its kind and its name, its ID, or both.
func describeNamed(kind, name, id string) string {
	switch {
	case name == "" && id == "":
		return kind
	case name == "":
		return kind + " " + id
	case id == "":
		return kind + " " + name
	}
	return kind + " " + name + " (" + id + ")"
}
