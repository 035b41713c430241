package words

import "time"

// Spoken returns the language in the form that is read aloud: durations and percentages are in words, such
// as "1 minute 5 seconds" and "80 percent". It always returns the same pointer.
func (l *Language) Spoken() *Language {
	if l == nil {
		l = English()
	}
	return l.spoken()
}

// newSpokenLanguage returns the spoken form of a language.
func newSpokenLanguage(l *Language) *Language {
	s := newLanguage(l.rules, func(id messageID, _ *message) template { return *l.template(spokenUnit(id)) })
	s.isSpoken, s.spoken = true, func() *Language { return s }
	return s
}

// spokenUnit returns the message that replaces another one in spoken texts.
func spokenUnit(id messageID) messageID {
	switch id {
	case TimeSeconds(0).id:
		return SpeakSeconds(0).id
	case TimeMinutes(0).id:
		return SpeakMinutes(0).id
	case TimeHours(0).id:
		return SpeakHours(0).id
	case TimeHoursMinutes(0, 0).id:
		return SpeakHoursMinutes(0, 0).id
	}
	return id
}

// SpokenDuration returns a duration in words, with its two largest units: "1 minute 5 seconds".
func SpokenDuration(d time.Duration) Text {
	if d = d.Round(time.Second); d >= time.Hour {
		d = d.Round(time.Minute) // seconds are left out beside hours
	}
	var text Text
	for _, u := range [...]struct {
		of    time.Duration
		count func(int) Text
	}{{24 * time.Hour, SpeakDays}, {time.Hour, SpeakHours}, {time.Minute, SpeakMinutes}, {time.Second, SpeakSeconds}} {
		n := int(d / u.of)
		d %= u.of
		switch {
		case n == 0:
		case text.IsZero():
			text = u.count(n)
		default:
			return SpeakUnits(text, u.count(n))
		}
	}
	if text.IsZero() {
		return SpeakSeconds(0)
	}
	return text
}

// JoinClauses joins parts of a sentence with semicolons. It leaves out empty texts.
func JoinClauses(texts ...Text) Text { return joinAll(HandoverClauses, texts) }
