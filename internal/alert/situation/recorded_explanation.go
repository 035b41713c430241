package situation

import (
	"slices"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/words"
	"wallboard/model"
)

// recordedExplanation is an explanation of a situation as viewers saw it: its causes and the number
// of agents that it needs. It is recorded with the situation, so that a replay shows the same
// explanation.
type recordedExplanation struct {
	causes []diagnosis.Cause
	staff  model.IncidentStaff
	at     time.Time
}

// An explanation is recorded again when the kinds of its causes change, at most once per
// minKindChangeAge, and when its texts or the number of agents change, at most once per
// minTextChangeAge. Both intervals grow with the age of the situation: they are at least
// 1/kindChangeShare and 1/textChangeShare of the age. So a situation of eight hours has at most
// about 300 explanations, or 120 if the kinds of its causes stay the same.
const (
	minKindChangeAge = 10 * time.Second
	minTextChangeAge = time.Minute
	kindChangeShare  = 60
	textChangeShare  = 30
)

func (sit *Situation) currentExplanation(now time.Time) recordedExplanation {
	n := &sit.Help.Needed
	return recordedExplanation{sit.causesOrReason(), model.IncidentStaff{
		More: n.MoreAgents, Least: n.MinMoreAgents, Most: n.MaxMoreAgents, ClearsIn: int64(n.ClearTime / time.Second), OnePerContact: n.OnePerContact, KeepUp: sit.Help.KeepUpAgents,
	}, now}
}

// updateExplanation replaces the explanation to record if the current one differs enough and enough
// time has passed. Situations about figures of the day keep theirs.
func (sit *Situation) updateExplanation(now time.Time) {
	age, lasts := now.Sub(sit.explanation.at).Abs(), now.Sub(sit.Since)
	if age < max(minKindChangeAge, lasts/kindChangeShare) || allDaily(sit.Alerts) {
		return
	}
	next, was := sit.currentExplanation(now), &sit.explanation
	sameKinds := slices.EqualFunc(next.causes, was.causes, func(a, b diagnosis.Cause) bool { return a.Kind == b.Kind })
	sameTexts := next.staff.More == was.staff.More && (next.staff.Most == 0) == (was.staff.Most == 0) && next.staff.KeepUp == was.staff.KeepUp &&
		slices.EqualFunc(next.causes, was.causes, func(a, b diagnosis.Cause) bool { return a.Text == b.Text })
	if !sameKinds || !sameTexts && age >= max(minTextChangeAge, lasts/textChangeShare) {
		sit.explanation = next
	}
}

// causesOrReason returns the causes. If there are none, it returns the reason as a cause without a
// kind.
func (sit *Situation) causesOrReason() []diagnosis.Cause {
	if len(sit.Causes) == 0 && sit.UnexplainedReason != "" {
		return []diagnosis.Cause{{Text: sit.UnexplainedReason, Messages: diagnosis.CauseMessages{Text: sit.messages.unexplained}}}
	}
	return sit.Causes
}

// ExplanationChanges returns a change for each situation that is live in both views and whose explanation
// to record was replaced in now. These changes are not announced, so [Changes] does not return them.
func ExplanationChanges(before, now *View) (out []Change) {
	if before == nil || now == nil {
		return nil
	}
	for i := range now.Live {
		sit := &now.Live[i]
		if !sit.explanation.at.Equal(now.At) {
			continue
		}
		if old := before.LiveByID(sit.ID); old != nil && old.Level == sit.Level && !old.explanation.at.Equal(now.At) {
			out = append(out, Change{Kind: ChangeExplained, Situation: sit})
		}
	}
	return out
}

// addTo adds the explanation to an incident.
func (t *recordedExplanation) addTo(out *model.Incident) {
	out.Needed = t.staff
	for i := range t.causes {
		c := &t.causes[i]
		r := model.IncidentCause{Kind: string(c.Kind), Text: c.Text, Brief: c.ShortText(), Message: c.Messages.Text.Stored(), BriefMessage: c.BriefMessage().Stored()}
		r.Share, _ = c.Share.Get()
		r.Agents, _ = c.Agents.Get()
		for _, who := range c.Departed {
			r.Users = append(r.Users, who.Username)
		}
		out.Causes = append(out.Causes, r)
	}
}

// recordedExplanationOf returns the explanation that was recorded with an incident.
func recordedExplanationOf(in *model.Incident) recordedExplanation {
	out := recordedExplanation{staff: in.Needed}
	for i := range in.Causes {
		r := &in.Causes[i]
		c := diagnosis.Cause{Kind: diagnosis.CauseKind(r.Kind), Text: r.Text, Brief: r.Brief, Share: knownFigure(r.Share), Agents: knownFigure(r.Agents)}
		c.Messages = diagnosis.CauseMessages{Text: words.Restored(r.Message), Brief: words.Restored(r.BriefMessage)}
		for _, who := range r.Users {
			c.Departed = append(c.Departed, diagnosis.Departure{Username: who})
		}
		out.causes = append(out.causes, c)
	}
	return out
}

// knownFigure returns v as a figure, unknown if v is 0.
func knownFigure(v float64) model.Figure {
	if v == 0 {
		return model.Figure{}
	}
	return model.FigureOf(v)
}

// restoreExplanation replaces the explanation of the open situation of a place with the recorded
// one, if the journal has one for the time now and the figures are current.
func (r *journalFollower) restoreExplanation(s *model.Snapshot, k placeKey, sit *Situation, now time.Time) {
	e := r.state.open[k]
	if e == nil || e.ID != sit.ID || len(e.explanation.causes) == 0 || sit.isOutdated(s) || !r.journal.Covers(now) {
		return
	}
	n := &e.explanation.staff
	sit.messages.unexplained = words.Text{}
	if sit.Causes, sit.UnexplainedReason = e.explanation.causes, ""; sit.Causes[0].Kind == "" {
		sit.messages.unexplained = sit.Causes[0].Messages.Text
		sit.Causes, sit.UnexplainedReason = nil, sit.Causes[0].Text
	}
	sit.Help.KeepUpAgents = n.KeepUp
	sit.Help.Needed = Staffing{MoreAgents: n.More, MinMoreAgents: n.Least, MaxMoreAgents: n.Most, ClearTime: time.Duration(n.ClearsIn) * time.Second, OnePerContact: n.OnePerContact}
}
