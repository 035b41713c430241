package world

import (
	"fmt"
	"slices"
	"time"
)

// Campaign is how a dialer campaign is set up: PDCampaign of document 1.
//
// While a campaign runs it may use ReservedChannels and, of BusyChannels, as
// many tenths as its Priority says. It dials when it was started, is enabled,
// and its dates include the moment.
type Campaign struct {
	ID, AbilitazioneID int64
	Name, ServiceCode  string
	Enabled            bool
	StartDate, EndDate time.Time // zero: no limit
	Priority           int64     // 1 to 10, the most urgent
	ReservedChannels   int64     // 0 to 1000
	BusyChannels       int64     // 0 to 1000
	BusyChannelsType   string
	Lists              []CampaignList
	Type               string
	UsersToNotify      []string
}

// CampaignList is a list that a campaign works off. Its items are tried only
// while it is enabled there, those of the lists with the highest Priority first.
type CampaignList struct {
	ListID   int64
	Priority int64
	Enabled  bool
}

const (
	mostChannels  = 1000
	normalUrgency = 5
)

// clone returns a copy that shares nothing.
func (c Campaign) clone() Campaign {
	c.Lists = slices.Clone(c.Lists)
	c.UsersToNotify = slices.Clone(c.UsersToNotify)
	return c
}

// Campaigns returns the settings of all campaigns in the order of their ids.
// The slices are the caller's.
func (d *Dialer) Campaigns() []Campaign {
	out := make([]Campaign, len(d.campaigns))
	for i, c := range d.campaigns {
		out[i] = c.settings.clone()
	}
	return out
}

// AddCampaign sets up a campaign, which does not run and has no contacts. Its ID
// may be 0 for the next free one, Priority 0 is 5, and a campaign without
// channels gets four of both kinds. The errors are [ErrExists]: its id or name
// is taken; [ErrNoService]; [ErrNoList]; [ErrInvalid].
func (d *Dialer) AddCampaign(s Campaign) (Campaign, error) {
	if s.ID == 0 {
		s.ID = firstCampaign
		if n := len(d.campaigns); n > 0 {
			s.ID = d.campaigns[n-1].settings.ID + 1
		}
	}
	if d.byID[s.ID] != nil || d.campaignNamed(s.Name) != nil {
		return Campaign{}, ErrExists
	}
	if s.Priority == 0 {
		s.Priority = normalUrgency
	}
	if s.ReservedChannels == 0 && s.BusyChannels == 0 {
		s.ReservedChannels, s.BusyChannels = 4, 4
	}
	if err := d.checkCampaign(s); err != nil {
		return Campaign{}, err
	}
	d.addCampaign(s, max(s.ReservedChannels, 1)).run()
	return s.clone(), nil
}

// SetCampaign replaces the settings of the campaign with their ID; calls under
// way go on. With resetStats the statistics start again. The errors are
// [ErrNoCampaign], [ErrNoService], [ErrNoList], and [ErrInvalid], which a name
// that another campaign has is, too.
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
	c.line = d.w.serviceOf[s.ServiceCode].lines[channelCall]
	if resetStats {
		c.resetStats()
	}
	c.allocate()
	return s.clone(), nil
}

// StartCampaign lets a campaign dial, if its settings do. Starting one that
// runs is no error. With resetStats its statistics start again before. The
// errors are [ErrNoCampaign] and [ErrDisabled].
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
	c.running = true
	c.allocate()
	return nil
}

// StopCampaign ends the dialling of a campaign, until it is started again. What
// rings or talks goes on, each on its channel; the others are given back at
// once. Stopping one that does not run is no error. With resetStats its
// statistics start again then. The error is [ErrNoCampaign].
func (d *Dialer) StopCampaign(id int64, resetStats bool) error {
	c := d.byID[id]
	if c == nil {
		return ErrNoCampaign
	}
	c.running = false
	if resetStats {
		c.resetStats()
	}
	c.allocate()
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

// checkCampaign looks at what is wrong whether the campaign is new or not.
func (d *Dialer) checkCampaign(s Campaign) error {
	switch {
	case s.ID < 0, s.Name == "":
		return fmt.Errorf("%w: id or name", ErrInvalid)
	case s.Priority < 1 || s.Priority > 10:
		return fmt.Errorf("%w: priority", ErrInvalid)
	case s.ReservedChannels < 0 || s.ReservedChannels > mostChannels || s.BusyChannels < 0 || s.BusyChannels > mostChannels:
		return fmt.Errorf("%w: channels", ErrInvalid)
	case !s.StartDate.IsZero() && !s.EndDate.IsZero() && s.EndDate.Before(s.StartDate):
		return fmt.Errorf("%w: dates", ErrInvalid)
	case d.w.serviceOf[s.ServiceCode] == nil:
		return ErrNoService
	}
	for _, l := range s.Lists {
		if d.listOf(l.ListID) == nil {
			return ErrNoList
		}
	}
	return nil
}

// allows reports whether the settings let the campaign dial at a moment.
func (c *Campaign) allows(now time.Time) bool {
	return c.Enabled && !now.Before(c.StartDate) && (c.EndDate.IsZero() || now.Before(c.EndDate))
}

// channels returns how many channels the campaign may use.
func (c *Campaign) channels() int64 { return c.ReservedChannels + c.BusyChannels*c.Priority/10 }

// Name returns the name of a campaign, "" for an id that is none.
func (d *Dialer) Name(id int64) string {
	if c := d.byID[id]; c != nil {
		return c.settings.Name
	}
	return ""
}
