package kpi

import "wallboard/model"

// countFigures returns the figures without a formula: counts that have a chart or a tile. The platform sends
// them, except those of users in a state on the floor.
func countFigures() []Figure {
	count := func(name string, tile int, of ...ScopeFigure) Figure {
		return Figure{Name: name, IsCount: true, Tile: tile, Forms: of}
	}
	return []Figure{
		count("queuedCalls", 1,
			ScopeFigure{Calls: ignoringGoal(func(c *serviceCalls) model.Figure { return c.QueuedCalls.Figure() })},
			ScopeFigure{Group: func(g *group) model.Figure { return g.ChannelStats.QueuedCalls.Figure() }}),
		count("currentCalls", 0,
			ScopeFigure{Calls: ignoringGoal(func(c *serviceCalls) model.Figure { return c.CurrentCalls.Figure() })}),
		count("readyUsers", 8,
			stateCount(func(u *serviceUsers) *model.ProfilesInStatus { return &u.ReadyUsers }),
			groupStateCount(func(u *model.GroupUsers) *model.ProfilesInStatus { return &u.ReadyUsers }),
			floorStateCount(model.Ready)),
		count("busyOnServUsers", 7,
			stateCount(func(u *serviceUsers) *model.ProfilesInStatus { return &u.BusyOnServUsers }),
			floorStateCount(model.Busy)),
		count("postCallUsers", 9,
			stateCount(func(u *serviceUsers) *model.ProfilesInStatus { return &u.PostCallUsers }),
			groupStateCount(func(u *model.GroupUsers) *model.ProfilesInStatus { return &u.PostCallUsers }),
			floorStateCount(model.WNR)),
		count("notReadyUsers", 10,
			stateCount(func(u *serviceUsers) *model.ProfilesInStatus { return &u.NotReadyUsers }),
			groupStateCount(func(u *model.GroupUsers) *model.ProfilesInStatus { return &u.NotReadyUsers }),
			floorStateCount(model.NotReady, model.NotReadyBusy)),
		count("loggedUsers", 11,
			stateCount(func(u *serviceUsers) *model.ProfilesInStatus { return &u.LoggedUsers }),
			groupStateCount(func(u *model.GroupUsers) *model.ProfilesInStatus { return &u.LoggedUsers }),
			ScopeFigure{Floor: func(f *model.Floor) model.Figure { return f.LoggedIn().Figure() }}),
		count("toDoContacts", 0, campaignCount(func(c *campaign) model.Int { return c.ToDoContacts })),
		count("ringingContacts", 0, campaignCount(func(c *campaign) model.Int { return c.RingingContacts })),
		count("talkingContacts", 0, campaignCount(func(c *campaign) model.Int { return c.TalkingContacts })),
		count("freeResources", 0, campaignCount(func(c *campaign) model.Int { return c.FreeResources })),
		count("usedChannels", 0, campaignCount(func(c *campaign) model.Int { return c.UsedChannels })),
	}
}

// stateCount returns a form that counts the user profiles of a service in one state. get selects
// the state.
func stateCount(get func(*serviceUsers) *model.ProfilesInStatus) ScopeFigure {
	return ScopeFigure{Users: func(u *serviceUsers) model.Figure { return get(u).Count.Figure() }}
}

// groupStateCount returns a form that counts the user profiles of a group in one state. get selects
// the state.
func groupStateCount(get func(*model.GroupUsers) *model.ProfilesInStatus) ScopeFigure {
	return ScopeFigure{Group: func(g *group) model.Figure { return get(&g.UserStats).Count.Figure() }}
}

// floorStateCount returns a form that counts the users of the floor who are in any of the given
// states.
func floorStateCount(states ...model.UserStatus) ScopeFigure {
	return ScopeFigure{Floor: func(f *model.Floor) model.Figure { return f.CountInStates(states...).Figure() }}
}

func campaignCount(get func(*campaign) model.Int) ScopeFigure {
	return ScopeFigure{Campaign: func(c *campaign) model.Figure { return get(c).Figure() }}
}
