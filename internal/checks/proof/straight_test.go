package proof_test

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// directFeed passes the figures of a floor to the board without the protocol and
// without delay, to test only the board's conclusions.
type directFeed struct {
	world *world.World
	store *model.Store
}

// newDirectFeed connects a board to a floor.
func newDirectFeed(w *world.World) *directFeed {
	f := &directFeed{world: w, store: model.NewStore()}
	f.world.TakeChanges()
	state := f.world.State()
	for _, r := range state.Services {
		f.store.Services.Put(serviceOf(r))
	}
	for _, r := range state.Groups {
		f.store.Groups.Put(groupOf(r))
	}
	for _, r := range state.Users {
		f.store.Users.Put(userOf(r))
	}
	for _, r := range state.UserStats {
		f.store.UserStats.Put(userStatOf(r))
	}
	for _, r := range state.Campaigns {
		f.store.Campaigns.Put(campaignOf(r))
	}
	return f
}

// runSecond runs the world for a second and returns the snapshot.
func (f *directFeed) runSecond() *model.Snapshot {
	f.world.Step(time.Second)
	c := f.world.TakeChanges()
	put(c.Services, serviceOf, &f.store.Services)
	put(c.Groups, groupOf, &f.store.Groups)
	put(c.Users, userOf, &f.store.Users)
	put(c.UserStats, userStatOf, &f.store.UserStats)
	put(c.Campaigns, campaignOf, &f.store.Campaigns)
	return f.store.Publish(f.world.Now(), model.Health{Link: model.Link{State: model.LinkUp}})
}

// put applies changed records to a table.
func put[W any, K comparable, T any, R model.Record[K, T]](changes []world.Change[W], of func(*W) *T, to *model.MutableTable[K, T, R]) {
	for _, c := range changes {
		if c.New != nil {
			to.Put(of(c.New))
		} else {
			to.Delete(R(of(c.Old)).Key())
		}
	}
}

func serviceOf(r *world.ServiceStat) *model.Service {
	out := &model.Service{Code: model.TextOf(r.Code), Channel: model.Channel(r.Channel)}
	copyFields(&out.ChannelStats, &r.Calls)
	copyFields(&out.UserStats, &r.Users)
	return out
}

func groupOf(r *world.GroupStat) *model.Group {
	out := &model.Group{Code: model.TextOf(r.Code), Channel: model.Channel(r.Channel)}
	copyFields(&out.ChannelStats, &r.Calls)
	copyFields(&out.UserStats, &r.Users)
	return out
}

func userOf(r *world.User) *model.User {
	var on [world.NumChannels]model.UserStatus
	for i, state := range r.Statuses {
		on[i] = model.UserStatus(state)
	}
	return &model.User{
		Username: model.TextOf(r.Username), Name: model.TextOf(r.Name), Surname: model.TextOf(r.Surname),
		Services: slices.Clone(r.Services), Skillsets: slices.Clone(r.Skillsets),
		Statuses: model.ChannelStatuses{
			Call: on[0], Custom1: on[1], Custom2: on[2], Custom3: on[3], Video: on[4],
			Chat: on[5], MailACD: on[6], LiveHelp: on[7], OmniDesk: on[8],
		},
	}
}

func userStatOf(r *world.UserStat) *model.UserStat {
	out := &model.UserStat{Username: model.TextOf(r.Username), Name: model.TextOf(r.Name), Surname: model.TextOf(r.Surname)}
	copyFields(&out.AgentFigures, &r.Figures)
	out.Channel, out.Status = model.Channel(r.Channel), model.UserStatus(r.Status)
	return out
}

func campaignOf(r *world.CampaignStat) *model.Campaign {
	out := &model.Campaign{}
	copyFields(out, r)
	return out
}

// copyFields copies the fields that have the same name on both sides.
func copyFields(to, from any) {
	t, f := reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()
	for i := range t.NumField() {
		v := f.FieldByName(t.Type().Field(i).Name)
		if !v.IsValid() {
			continue
		}
		switch out := t.Field(i).Addr().Interface().(type) {
		case *model.Int:
			*out = model.IntOf(v.Int())
		case *model.Float:
			*out = model.FloatOf(v.Float())
		case *model.Text:
			if text := v.String(); !strings.EqualFold(text, world.EmptyMark) {
				*out = model.TextOf(text)
			}
		case *model.Instant:
			if at, ok := v.Interface().(time.Time); ok {
				*out = model.InstantOf(at)
			}
		case *model.ProfilesInStatus:
			if in, ok := v.Interface().(world.ProfilesInStatus); ok {
				*out = model.ProfilesInStatus{Count: model.IntOf(in.Count), ProfileIDs: in.ProfileIDs}
			}
		}
	}
}
