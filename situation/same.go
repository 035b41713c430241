package situation

import "slices"

// Same reports whether two views say the same, but for how long it has been so.
func (v *View) Same(o *View) bool {
	if v == o || v == nil || o == nil {
		return v == o
	}
	same := func(a, b Situation) bool {
		return a.ID == b.ID && a.Level == b.Level && a.Hurts == b.Hurts && len(a.Alerts) == len(b.Alerts) &&
			a.Unexplained == b.Unexplained && len(a.Causes) == len(b.Causes) && a.Ack == b.Ack && a.Stale.Equal(b.Stale) &&
			slices.Equal(a.Help.Needed, b.Help.Needed) && len(a.Help.Who) == len(b.Help.Who)
	}
	return (v.Quiet == "") == (o.Quiet == "") && slices.EqualFunc(v.Live, o.Live, same) && slices.EqualFunc(v.Today, o.Today, same) &&
		slices.EqualFunc(v.Recovered, o.Recovered, func(a, b Recovered) bool { return a.Place == b.Place && a.Ended.Equal(b.Ended) }) &&
		slices.EqualFunc(v.Silenced, o.Silenced, func(a, b Silenced) bool { return a.Place == b.Place && a.Until.Equal(b.Until) })
}
