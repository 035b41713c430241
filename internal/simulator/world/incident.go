package world

// Incident overrides the content of records, for tests and demonstrations of alerts. Each
// function changes a copy of a record. A nil function changes nothing.
type Incident struct {
	Service  func(*ServiceStat)  // changes the first service on its first channel
	Group    func(*GroupStat)    // changes the first group on its first channel
	User     func(*UserStat)     // changes the first logged-in agent on their first channel
	Campaign func(*CampaignStat) // changes the first campaign
}

// StartIncident begins to override records with the functions in i, and returns a function
// that ends the incident. The simulation itself continues unchanged.
func (w *World) StartIncident(i Incident) (over func()) {
	l := &w.recordSets
	endFuncs := []func(){
		overrideFirstRecord(&l.services, i.Service), overrideFirstRecord(&l.groups, i.Group), overrideFirstRecord(&l.userStats, i.User), overrideFirstRecord(&l.campaigns, i.Campaign),
	}
	return func() {
		for _, end := range endFuncs {
			end()
		}
	}
}

// overrideFirstRecord overrides the first existing record with change. The returned function undoes
// the override. A nil change overrides nothing.
func overrideFirstRecord[T any](l *recordSet[T], change func(*T)) (end func()) {
	l.rebuildStale()
	if change != nil {
		for _, s := range l.slots {
			if s.current == nil {
				continue
			}
			build := s.build
			s.build = func() *T {
				r := build()
				if r == nil {
					return nil
				}
				c := *r
				change(&c)
				return &c
			}
			l.markStale(s)
			return func() { s.build = build; l.markStale(s) }
		}
	}
	return func() {}
}
