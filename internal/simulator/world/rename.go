package world

import "slices"

// RenameService changes the code of a service, as an administrator would, in all records that
// contain the code. Records with the code in their key get a new key. RenameService returns
// [ErrNoService] if there is no such service, or if another service already has the new code.
func (w *World) RenameService(code, to string) error {
	s := w.serviceByCode[code]
	if s == nil || w.serviceByCode[to] != nil {
		return ErrNoService
	}
	delete(w.serviceByCode, code)
	s.code, w.serviceByCode[to] = to, s
	for _, l := range s.channels {
		if l != nil {
			l.markChanged()
		}
	}
	for _, a := range w.attendants {
		if a.service == s {
			for _, slot := range a.slots {
				w.recordSets.attendants.markStale(slot)
			}
		}
	}
	for _, u := range slices.Concat(w.agents, w.operators) {
		if i := slices.Index(u.services, code); i >= 0 {
			u.services = slices.Clone(u.services)
			u.services[i] = to
			u.markChanged()
		}
	}
	for _, c := range w.dialer.campaigns {
		if c.settings.ServiceCode == code {
			c.settings.ServiceCode = to
		}
	}
	return nil
}
