package situation

import (
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// SpareLines returns sentences about how many agents a service can spare before the next contact
// waits, and which agents are likely to be free next. plan may be nil. Otherwise it lowers the
// number to the one at which the targets are still met.
func SpareLines(s *model.Snapshot, names model.Names, k model.ServiceKey, now time.Time, plan *diagnosis.ReleasePlan) []words.Text {
	if s == nil || !isFresh(s) {
		return []words.Text{words.SpareStale()}
	}
	floor := diagnosis.ComputeFloorSpare(s, k.Channel, k.Code)
	thin := floor.Services[k.Code]
	if thin.Agents == 0 {
		if r := s.Services.Get(k); r != nil {
			if logged, known := r.UserStats.LoggedUsers.Count.Get(); known && logged == 0 {
				return []words.Text{words.SpareNoneLoggedIn()}
			}
		}
		return []words.Text{words.SpareNoAgents()}
	}
	var out []words.Text
	switch waiting, known := floor.Waiting[k.Code].Get(); {
	case !known:
		out = append(out, words.SpareQueueUnknown(words.WaitingNouns(k.Channel)))
	case waiting > 0:
		out = append(out, words.SpareWaiting(words.CountWaiting(int(waiting), k.Channel)))
	case thin.Ready == 0:
		out = append(out, words.SpareNoOneAvailable(words.WaitingNoun(k.Channel)))
	case thin.Free == 0:
		out = append(out, words.SpareShared(words.CountAgents(thin.Ready), words.WaitingNoun(k.Channel)))
	default:
		available := words.SpareAvailable(words.CountAgents(thin.Ready))
		if n := thin.Ready - thin.Free; n > 0 { // other services may need these agents first
			available = words.SpareAvailableShared(words.CountAgents(thin.Ready), n)
		}
		out = append(out, words.JoinSentences(available, releaseText(floor, plan, k)))
	}
	for _, n := range thin.NextFree {
		out = append(out, words.SpareNextFree(textformat.PersonName(s, names, n.Username, k.Channel), nextFreeState(&n, k.Channel, now)))
	}
	return out
}

// nextFreeState describes what an agent who is likely to be free next does now.
func nextFreeState(n *diagnosis.BusyAgent, ch model.Channel, now time.Time) words.Text {
	alone, lasting := words.SpareWithContact(), words.SpareWithContactFor
	switch {
	case n.Status == model.WNR:
		alone, lasting = words.SpeakIsWrapUp(), words.SpareWrapUpFor
	case ch == model.Call:
		alone, lasting = words.SpareOnCall(), words.SpareOnCallFor
	}
	if n.Since.IsZero() {
		return alone
	}
	return lasting(now.Sub(n.Since))
}

// releaseText describes how many ready agents of a service can be released. If neither other
// services nor the targets limit the number, it also describes what happens if one more agent is
// released. The targets of plan, which may be nil, can lower the number.
func releaseText(floor *diagnosis.FloorSpare, plan *diagnosis.ReleasePlan, k model.ServiceKey) words.Text {
	thin, n := floor.Services[k.Code], floor.ReleasableFrom(k.Code)
	one := words.WaitingNoun(k.Channel)
	// The plan is some seconds old. Its number counts only if the targets, and not a queue at that time,
	// limited it.
	if plan != nil && plan.MissingReason.IsZero() && plan.Target > 0 && plan.Spare != nil && plan.ReleasableByService[k.Code] < min(n, plan.Spare.ReleasableFrom(k.Code)) {
		return words.SpareCanTarget(plan.ReleasableByService[k.Code])
	}
	mayWait := thin.Free < thin.Ready // other services may need the remaining agents first
	switch {
	case n < thin.Free-1:
		return words.SpareCanOthers(n, words.WaitingNouns(k.Channel))
	case n > 0 && mayWait:
		return words.SpareReleaseMay(n, n+1, one)
	case n > 0:
		return words.SpareRelease(n, n+1, one)
	case mayWait:
		return words.SpareReleaseOneMay(one)
	}
	return words.SpareReleaseOne(one)
}
