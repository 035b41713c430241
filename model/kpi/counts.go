package kpi

import "wallboard/model"

// counts returns the numbers that the platform sends and that deserve a chart or a tile.
func counts() []Figure {
	count := func(name, title string, place int, of ...Form) Figure {
		f := Figure{Name: name, Title: title, Count: true, Forms: of}
		if place > 0 {
			f.Tile = Tile{title, place}
		}
		return f
	}
	return []Figure{
		count("queuedCalls", "Waiting", 1,
			Form{Calls: ofCalls(func(c *serviceCalls) model.Figure { return c.QueuedCalls.Figure() })},
			Form{Group: func(g *group) model.Figure { return g.ChannelStats.QueuedCalls.Figure() }}),
		count("currentCalls", "In the system", 0,
			Form{Calls: ofCalls(func(c *serviceCalls) model.Figure { return c.CurrentCalls.Figure() })}),
		count("readyUsers", "Ready", 8,
			heads(func(u *serviceUsers) *model.ProfilesInStatus { return &u.ReadyUsers }),
			groupHeads(func(u *model.GroupUsers) *model.ProfilesInStatus { return &u.ReadyUsers }),
			inState(model.Ready)),
		count("busyOnServUsers", "Talking", 7,
			heads(func(u *serviceUsers) *model.ProfilesInStatus { return &u.BusyOnServUsers }),
			inState(model.Busy)),
		count("postCallUsers", "Wrap-up", 9,
			heads(func(u *serviceUsers) *model.ProfilesInStatus { return &u.PostCallUsers }),
			groupHeads(func(u *model.GroupUsers) *model.ProfilesInStatus { return &u.PostCallUsers }),
			inState(model.WNR)),
		count("notReadyUsers", "Not ready", 10,
			heads(func(u *serviceUsers) *model.ProfilesInStatus { return &u.NotReadyUsers }),
			groupHeads(func(u *model.GroupUsers) *model.ProfilesInStatus { return &u.NotReadyUsers }),
			inState(model.NotReady, model.NotReadyBusy)),
		count("loggedUsers", "Logged in", 11,
			heads(func(u *serviceUsers) *model.ProfilesInStatus { return &u.LoggedUsers }),
			groupHeads(func(u *model.GroupUsers) *model.ProfilesInStatus { return &u.LoggedUsers }),
			Form{Floor: func(f *model.Floor) model.Figure { return f.Logged().Figure() }}),
		count("toDoContacts", "Contacts left", 0, number(func(c *campaign) model.Int { return c.ToDoContacts })),
		count("ringingContacts", "Ringing", 0, number(func(c *campaign) model.Int { return c.RingingContacts })),
		count("talkingContacts", "Talking", 0, number(func(c *campaign) model.Int { return c.TalkingContacts })),
		count("freeResources", "Free agents", 0, number(func(c *campaign) model.Int { return c.FreeResources })),
		count("usedChannels", "Lines in use", 0, number(func(c *campaign) model.Int { return c.UsedChannels })),
	}
}

// heads returns the number of user profiles of a service in a state, groupHeads that of a
// group.
func heads(get func(*serviceUsers) *model.ProfilesInStatus) Form {
	return Form{Users: func(u *serviceUsers) model.Figure { return get(u).Count.Figure() }}
}

func groupHeads(get func(*model.GroupUsers) *model.ProfilesInStatus) Form {
	return Form{Group: func(g *group) model.Figure { return get(&g.UserStats).Count.Figure() }}
}

// inState returns the number of users of the floor in any of the given states.
func inState(states ...model.UserStatus) Form {
	return Form{Floor: func(f *model.Floor) model.Figure { return f.Heads(states...).Figure() }}
}

func number(get func(*campaign) model.Int) Form {
	return Form{Campaign: func(c *campaign) model.Figure { return get(c).Figure() }}
}
