package control

import (
	"context"
	"strconv"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// StartCampaign starts a campaign. It sends the request only once. An unknown outcome is resolved
// by comparing the live figures of the campaign before and after the request.
func (d *Campaigns) StartCampaign(ctx context.Context, s resource.CampaignSwitch) words.ActionReport {
	c := &campaignSwitch{campaigns: d, switchRequest: s, request: d.service.StartCampaign, hasEffect: hasStarted}
	c.operation = resource.OpCampaignStart
	return d.switchCampaign(ctx, c)
}

// StopCampaign stops a campaign. It sends the request only once. An unknown outcome is resolved by
// comparing the live figures of the campaign before and after the request.
func (d *Campaigns) StopCampaign(ctx context.Context, s resource.CampaignSwitch) words.ActionReport {
	c := &campaignSwitch{campaigns: d, switchRequest: s, request: d.service.StopCampaign, hasEffect: hasStopped}
	c.operation = resource.OpCampaignStop
	return d.switchCampaign(ctx, c)
}

type campaignSwitch struct {
	action

	campaigns       *Campaigns
	switchRequest   resource.CampaignSwitch
	request         func(ctx context.Context, id int, resetStats *bool) (bool, error)
	hasEffect       func(before, now *model.Campaign) bool // reports whether the live figures show the effect
	campaignName    words.Text                             // the campaign, for the beginning of a sentence
	before          *model.Campaign
	noFiguresReason words.Text // reason why there were no live figures before the request; zero: there were
}

func (d *Campaigns) switchCampaign(ctx context.Context, c *campaignSwitch) words.ActionReport {
	c.targetKind, c.target = string(campaignKind), "campaign "+strconv.Itoa(c.switchRequest.ID)
	c.params = map[string]string{"resetStats": strconv.FormatBool(c.switchRequest.ResetStats)}
	c.read, c.send, c.resolve = c.readCampaign, c.sendSwitch, c.resolveByFigures
	c.setCampaign(campaignKind.describe("", strconv.Itoa(c.switchRequest.ID)))
	return d.executor.run(ctx, &c.action)
}

// setCampaign sets the campaign in the texts of the action.
func (c *campaignSwitch) setCampaign(what words.Text) {
	c.campaignName = what
	c.phrases = phrases{
		failed: words.ControlStartFailed(what), unknownOutcome: words.ControlStartUnclear(what), advice: words.ControlSwitchAdvice(),
		reasons: map[error]words.Text{
			restclient.ErrNotFound:           words.ControlNoCampaign(),
			restclient.ErrPreconditionFailed: words.ControlCampaignLacks(),
		},
	}
	if c.operation == resource.OpCampaignStop {
		c.phrases.failed, c.phrases.unknownOutcome = words.ControlStopFailed(what), words.ControlStopUnclear(what)
	}
}

func (c *campaignSwitch) readCampaign(ctx context.Context) *words.ActionReport {
	found, err := c.campaigns.findCampaign(ctx, c.switchRequest.ID)
	switch {
	case err != nil && !isRefused(err):
		return c.campaigns.executor.unreachableReport(err, c.phrases.failed)
	case err == nil && found == nil:
		r := c.phrases.rejectedReport(words.ControlNoCampaign())
		return &r
	case found != nil:
		c.setCampaign(describeCampaign(*found))
	}
	if c.before = c.campaigns.feed.campaignFigures(c.switchRequest.ID); c.before == nil || !c.before.AllocatedChannels.Known() {
		c.noFiguresReason = c.campaigns.feed.noFiguresReason(c.switchRequest.ID)
	}
	return nil
}

func (c *campaignSwitch) sendSwitch(ctx context.Context) (words.ActionReport, error) {
	ok, err := c.request(ctx, c.switchRequest.ID, &c.switchRequest.ResetStats)
	switch {
	case err != nil:
		return words.ActionReport{}, err
	case !ok:
		return c.phrases.rejectedReport(words.ControlSwitchDeclined()), nil
	}
	return c.confirmedReport(), nil
}

func (c *campaignSwitch) confirmedReport() words.ActionReport {
	done, doneReset := words.ControlStarted, words.ControlStartedReset
	switch {
	case c.operation == resource.OpCampaignStop:
		done, doneReset = words.ControlStopped, words.ControlStoppedReset
	case c.before != nil && isPositive(c.before.AllocatedChannels):
		done, doneReset = words.ControlAlreadyRunning, words.ControlAlreadyRunningReset
	}
	if c.switchRequest.ResetStats {
		done = doneReset
	}
	return confirmedReport(done(c.campaignName))
}

// isDone reports whether the live figures prove that everything requested was done. The platform
// resets the statistics after a stop, so a reset proves the stop. It resets them before a start, so
// the start needs its own proof.
func (c *campaignSwitch) isDone(now *model.Campaign) bool {
	switch {
	case !c.switchRequest.ResetStats:
		return c.hasEffect(c.before, now)
	case c.operation == resource.OpCampaignStop:
		return wereStatsReset(c.before, now)
	}
	return wereStatsReset(c.before, now) && c.hasEffect(c.before, now)
}

// resolveByFigures returns a report based on the live figures. Without figures from before the
// request, it does not wait for a change, because the current figures alone prove nothing.
func (c *campaignSwitch) resolveByFigures(ctx context.Context, err error) *words.ActionReport {
	r := c.confirmedReport()
	now := c.campaigns.feed.campaignFigures(c.switchRequest.ID)
	if c.noFiguresReason.IsZero() && c.campaigns.executor.poll(ctx, func() bool {
		now = c.campaigns.feed.campaignFigures(c.switchRequest.ID)
		return c.isDone(now)
	}) {
		return &r
	}
	var found words.Text
	switch {
	case now != nil && now.AllocatedChannels.Known():
		found = words.ControlChannelsNow(int(now.AllocatedChannels.Or(0)))
	case c.noFiguresReason.IsZero():
		found = words.ControlNotFoundOut(c.campaigns.feed.noFiguresReason(c.switchRequest.ID))
	}
	if !c.noFiguresReason.IsZero() {
		found = words.JoinSentences(found, words.ControlStateBeforeUnknown(c.noFiguresReason))
	}
	r = c.phrases.unknownReport(reasonText(err, nil), found)
	return &r
}

// newFieldsEdition14 lists the fields of a campaign that edition 1.0.2 does not have.
var newFieldsEdition14 = []string{"type", "usersToNotify"}
