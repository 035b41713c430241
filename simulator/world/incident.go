package world

// Incident is custom trouble: what records show instead of what
// happens, for tests and demonstrations of alerts. A nil part is none.
type Incident struct {
	Service  func(*ServiceStat)  // of the first service on its first channel
	Group    func(*GroupStat)    // of the first group on its first channel
	User     func(*UserStat)     // of the first agent who is logged in, on their first channel
	Campaign func(*CampaignStat) // of the first campaign
}

// Strike lets an incident happen, until the function that it returns is called.
// Life goes on behind it.
func (w *World) Strike(i Incident) (over func()) {
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

// strike changes the first record that there is.
func strike[T any](l *ledger[T], change func(*T)) (over func()) {
	l.flush()
	if change != nil {
		for _, s := range l.all {
			if s.now == nil {
				continue
			}
			honest := s.build
			s.build = func() *T {
				r := honest()
				if r == nil {
					return nil
				}
				c := *r
				change(&c)
				return &c
			}
			l.touch(s)
			return func() { s.build = honest; l.touch(s) }
		}
	}
	return func() {}
}
