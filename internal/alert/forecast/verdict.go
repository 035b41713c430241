package forecast

import (
	"math"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
)

// Verdict tells how likely it is that a target is met.
type Verdict int8

// Verdicts, from the worst to the best. The zero value VerdictNone means that there is none.
const (
	VerdictNone Verdict = iota
	VerdictUnreachable
	VerdictProbablyNot
	VerdictTooClose // both outcomes are likely
	VerdictProbable
	VerdictCertain // the target is met even if all calls to come are missed
)

// Text returns the verdict in words. It is zero for VerdictNone.
func (v Verdict) Text() words.Text {
	switch v {
	case VerdictUnreachable:
		return words.DialogNo()
	case VerdictProbablyNot:
		return words.ForecastProbablyNot()
	case VerdictTooClose:
		return words.ForecastTooClose()
	case VerdictProbable:
		return words.ForecastProbably()
	case VerdictCertain:
		return words.DialogYes()
	case VerdictNone:
	}
	return words.Text{}
}

// probableFrom is the minimum probability for the verdict that a target is probably met. An earlier
// verdict holds while the probability is at least stillProbableFrom.
const probableFrom, stillProbableFrom = 0.75, 0.50

// addTarget sets the target, the share of the calls to come that must be answered in time, and the
// verdict. toCome is the expected number of these calls, and most the upper end of its range. If there
// is no target, or if less than one call is expected, addTarget does nothing.
func (f *Forecast) addTarget(in *Input, missed, counted, toCome, most float64) {
	target, ok := in.Target.Get()
	if !ok || toCome < 1 {
		return
	}
	needed := func(toCome float64) model.Float {
		return model.FloatOf(1 - ((1-target)*(counted+toCome)-missed)/toCome)
	}
	f.Target, f.isBelow = in.Target, 1-missed/counted < target
	f.NeededShare, f.MaxNeededShare = needed(toCome), needed(most)
	f.Verdict = f.verdictAt(probableFrom)
}

// isFinal reports whether the verdict is VerdictUnreachable or VerdictCertain.
func (f *Forecast) isFinal() bool {
	return f.Verdict == VerdictUnreachable || f.Verdict == VerdictCertain
}

// probability returns the probability that the target is met.
func (f *Forecast) probability() float64 {
	deviation := max((f.Level.High-f.Level.Low)/(2*quantile90), 1e-6)
	return 0.5 * math.Erfc((f.Target.Or(0)-f.Level.Likely)/deviation/math.Sqrt2)
}

// IsMissed reports whether the target will be missed: the service level is below the target and
// will probably stay below it, or it will fall below the target from MissedFrom on.
func (f *Forecast) IsMissed() bool {
	return f.isBelow && f.Verdict <= VerdictProbablyNot || !f.MissedFrom.IsZero()
}

// verdictAt returns the verdict for the forecast. enough is the minimum probability for the verdict
// that the target is probably met.
func (f *Forecast) verdictAt(enough float64) Verdict {
	p, needed := f.probability(), f.MaxNeededShare.Or(0)
	switch {
	case needed > 1:
		return VerdictUnreachable
	case needed <= 0:
		return VerdictCertain
	case p >= enough:
		return VerdictProbable
	case p <= 1-enough:
		return VerdictProbablyNot
	}
	return VerdictTooClose
}

// A verdict lasts for at least verdictLifetime, and [VerdictTooClose] for openVerdictLifetime, unless the probability of
// an outcome exceeds certainEnough.
const (
	verdictLifetime     = time.Minute
	openVerdictLifetime = time.Hour
	certainEnough       = 0.98 // probability from which an outcome counts as clear
)

// finalVerdictMargin is how far MaxNeededShare must move away from 1 or 0 to end a final verdict.
const finalVerdictMargin = 0.05

// LastVerdict is the last verdict on a service or a floor, with the time from which the target is
// expected to be missed. The zero value means that there is no verdict.
type LastVerdict struct {
	verdict    Verdict
	since      time.Time    // when the verdict was given
	changes    [2]time.Time // times of the last two changes of the verdict, the latest last
	missedFrom time.Time
}

// StabilizeVerdict replaces the verdict of a forecast with the last verdict while the last one holds. So a
// verdict changes at most twice in an hour, except from a final verdict, or to a final one that
// contradicts the last verdict.
//
// StabilizeVerdict also keeps the time from which the target is missed, so that this time does not change every minute.
// If that time passes without a miss, the forecast has no such time for an hour.
func (l *LastVerdict) StabilizeVerdict(f *Forecast, now time.Time) {
	if age := now.Sub(l.since); f.Verdict != VerdictNone && age >= 0 && l.isStillValid(f, age, now) {
		f.Verdict = l.verdict
	}
	if f.Verdict != l.verdict {
		if l.verdict != VerdictNone {
			l.changes = [2]time.Time{l.changes[1], now}
		}
		l.verdict, l.since = f.Verdict, now
	}
	const about = 45 * time.Minute // largest change of the time that is ignored
	switch {
	case f.isBelow:
		f.MissedFrom, l.missedFrom = time.Time{}, time.Time{}
	case f.Verdict > VerdictProbablyNot || !f.Target.Known():
		f.MissedFrom = time.Time{}
	case !l.missedFrom.IsZero() && now.After(l.missedFrom) && now.Sub(l.missedFrom) < time.Hour:
		f.MissedFrom = time.Time{}
	case l.missedFrom.After(now) && (f.MissedFrom.IsZero() || f.MissedFrom.Sub(l.missedFrom).Abs() <= about):
		f.MissedFrom = l.missedFrom
	default:
		l.missedFrom = f.MissedFrom
	}
}

// isStillValid reports whether the last verdict still holds for a forecast. age is the time since that
// verdict was given.
func (l *LastVerdict) isStillValid(f *Forecast, age time.Duration, now time.Time) bool {
	switch p := f.probability(); {
	case l.verdict == VerdictNone:
		return false
	case l.verdict == VerdictUnreachable && f.Verdict != VerdictCertain:
		return f.MaxNeededShare.Or(0) > 1-finalVerdictMargin
	case l.verdict == VerdictCertain && f.Verdict != VerdictUnreachable:
		return f.MaxNeededShare.Or(0) < finalVerdictMargin
	case f.isFinal():
		isConfirmed := f.Verdict == VerdictCertain && l.verdict == VerdictProbable || f.Verdict == VerdictUnreachable && l.verdict == VerdictProbablyNot
		return isConfirmed && now.Sub(l.changes[0]) < time.Hour
	case age < verdictLifetime || now.Sub(l.changes[0]) < time.Hour || f.verdictAt(stillProbableFrom) == l.verdict:
		return true
	default:
		return l.verdict == VerdictTooClose && age < openVerdictLifetime && p < certainEnough && p > 1-certainEnough
	}
}
