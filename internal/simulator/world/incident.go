package world

// Incident overrides records, for tests and demonstrations of alerts. A nil function
// changes nothing.
type Incident struct {
	Service  func(*ServiceStat)  // changes the first service on its first channel
	Group    func(*GroupStat)    // changes the first group on its first channel
	User     func(*UserStat)     // changes the first logged-in agent on their first channel
	Campaign func(*CampaignStat) // changes the first campaign
}

// StartIncident starts an incident. The returned function ends it. The simulation continues
// behind the changed records.
func (w *World) StartIncident(i Incident) (over func()) {
	l := &w.ledgers
	ends := []func(){
		strike(&l.services, i.Service), strike(&l.groups, i.Group), strike(&l.userStats, i.User), strike(&l.campaigns, i.Campaign),
	}
	return func() {
		for _, end := range ends {
			end()
		}
	}
}

// strike changes the first existing record.
func strike[T any](l *ledger[T], change func(*T)) (over func()) {
	l.flush()
	if change != nil {
		for _, s := range l.all {
			if s.now == nil {
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
			l.touch(s)
			return func() { s.build = build; l.touch(s) }
		}
	}
	return func() {}
}
