package world

import (
	"fmt"
	"slices"
	"time"
)

// Campaign holds the settings of a dialer campaign: PDCampaign of document 1.
//
// A running campaign may use ReservedChannels channels, and in addition BusyChannels*Priority/10
// channels. It dials if it was started, is enabled, and the current time is within its dates.
type Campaign struct {
	ID, AbilitazioneID int64
	Name, ServiceCode  string
	Enabled            bool
	StartDate, EndDate time.Time // zero: no limit
	Priority           int64     // 1 to 10; 10 is the most urgent
	ReservedChannels   int64     // 0 to 1000
	BusyChannels       int64     // 0 to 1000
	BusyChannelsType   string
	Lists              []CampaignList
	Type               string
	UsersToNotify      []string
}

// CampaignList is a list of a campaign. Its items are dialed only if Enabled is set. Items of lists
// with a higher Priority are dialed first.
type CampaignList struct {
	ListID   int64
	Priority int64
	Enabled  bool
}

const (
	maxChannels     = 1000
	defaultPriority = 5
)

// clone returns a deep copy.
func (c Campaign) clone() Campaign {
	c.Lists = slices.Clone(c.Lists)
	c.UsersToNotify = slices.Clone(c.UsersToNotify)
	return c
}

// Campaigns returns the settings of all campaigns sorted by ID. The caller owns the slices.
func (d *Dialer) Campaigns() []Campaign {
	out := make([]Campaign, len(d.campaigns))
	for i, c := range d.campaigns {
		out[i] = c.settings.clone()
	}
	return out
}

// AddCampaign adds a campaign and returns its settings. The campaign is stopped and has no
// contacts. ID 0 means the next free ID, and Priority 0 means 5. A campaign without channels
// gets four ReservedChannels and four BusyChannels. AddCampaign returns [ErrExists] if the ID
// or the name is in use. For other invalid settings it returns [ErrNoService], [ErrNoList] or
// [ErrInvalid].
func (d *Dialer) AddCampaign(s Campaign) (Campaign, error) {
	if s.ID == 0 {
		s.ID = firstCampaignID
		if n := len(d.campaigns); n > 0 {
			s.ID = d.campaigns[n-1].settings.ID + 1
		}
	}
	if d.byID[s.ID] != nil || d.campaignNamed(s.Name) != nil {
		return Campaign{}, ErrExists
	}
	if s.Priority == 0 {
		s.Priority = defaultPriority
	}
	if s.ReservedChannels == 0 && s.BusyChannels == 0 {
		s.ReservedChannels, s.BusyChannels = 4, 4
	}
	if err := d.checkCampaign(s); err != nil {
		return Campaign{}, err
	}
	d.addCampaign(s, max(s.ReservedChannels, 1)).scheduleAttempts()
	return s.clone(), nil
}

// SetCampaign replaces the settings of the campaign with the same ID and returns them. Current
// calls continue. With resetStats, SetCampaign also resets the statistics. It returns
// [ErrNoCampaign] if there is no such campaign, and [ErrInvalid] if another campaign has the same
// name. For other invalid settings it returns [ErrNoService], [ErrNoList] or [ErrInvalid].
func (d *Dialer) SetCampaign(s Campaign, resetStats bool) (Campaign, error) {
	c := d.byID[s.ID]
	if c == nil {
		return Campaign{}, ErrNoCampaign
	}
	if other := d.campaignNamed(s.Name); other != nil && other != c {
		return Campaign{}, fmt.Errorf("%w: name", ErrInvalid)
	}
	if err := d.checkCampaign(s); err != nil {
		return Campaign{}, err
	}
	c.settings = s.clone()
	c.serviceChannel = d.w.serviceByCode[s.ServiceCode].channels[channelCall]
	if resetStats {
		c.resetStats()
	}
	c.allocateChannels()
	return s.clone(), nil
}

// StartCampaign starts a campaign, which then dials when its settings allow it. Starting a running
// campaign is not an error. With resetStats, StartCampaign resets the statistics first. It returns
// [ErrNoCampaign] if there is no such campaign, and [ErrDisabled] if the settings disable it.
func (d *Dialer) StartCampaign(id int64, resetStats bool) error {
	c := d.byID[id]
	switch {
	case c == nil:
		return ErrNoCampaign
	case !c.settings.Enabled:
		return ErrDisabled
	}
	if resetStats {
		c.resetStats()
	}
	c.isRunning = true
	c.allocateChannels()
	return nil
}

// StopCampaign stops a campaign. Current calls continue on their channels; the other channels are
// released immediately. Stopping a stopped campaign is not an error. With resetStats, StopCampaign
// also resets the statistics. It returns [ErrNoCampaign] if there is no such campaign.
func (d *Dialer) StopCampaign(id int64, resetStats bool) error {
	c := d.byID[id]
	if c == nil {
		return ErrNoCampaign
	}
	c.isRunning = false
	if resetStats {
		c.resetStats()
	}
	c.allocateChannels()
	return nil
}

func (d *Dialer) campaignNamed(name string) *campaign {
	for _, c := range d.campaigns {
		if c.settings.Name == name {
			return c
		}
	}
	return nil
}

// checkCampaign validates the settings of a new or existing campaign.
func (d *Dialer) checkCampaign(s Campaign) error {
	switch {
	case s.ID < 0, s.Name == "":
		return fmt.Errorf("%w: id or name", ErrInvalid)
	case s.Priority < 1 || s.Priority > 10:
		return fmt.Errorf("%w: priority", ErrInvalid)
	case s.ReservedChannels < 0 || s.ReservedChannels > maxChannels || s.BusyChannels < 0 || s.BusyChannels > maxChannels:
		return fmt.Errorf("%w: channels", ErrInvalid)
	case !s.StartDate.IsZero() && !s.EndDate.IsZero() && s.EndDate.Before(s.StartDate):
		return fmt.Errorf("%w: dates", ErrInvalid)
	case d.w.serviceByCode[s.ServiceCode] == nil:
		return ErrNoService
	}
	for _, l := range s.Lists {
		if d.listByID(l.ListID) == nil {
			return ErrNoList
		}
	}
	return nil
}

// allows reports whether the settings allow the campaign to dial at the given time.
func (c *Campaign) allows(now time.Time) bool {
	return c.Enabled && !now.Before(c.StartDate) && (c.EndDate.IsZero() || now.Before(c.EndDate))
}

// channels returns the number of channels that the campaign may use.
func (c *Campaign) channels() int64 { return c.ReservedChannels + c.BusyChannels*c.Priority/10 }

// CampaignName returns the name of a campaign, or "" if there is no such campaign.
func (d *Dialer) CampaignName(id int64) string {
	if c := d.byID[id]; c != nil {
		return c.settings.Name
	}
	return ""
}
