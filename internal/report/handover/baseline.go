package handover

import (
	"context"
	"errors"
	"time"

	"wallboard/internal/words"
	"wallboard/model/contact"
)

// DayComparer compares a day with earlier days of the same weekday.
type DayComparer interface {
	CompareDay(ctx context.Context, date time.Time, kind contact.Kind) (contact.Comparison, error)
}

// baselineTimeout limits the duration of [ReadBaseline].
const baselineTimeout = 30 * time.Second

// ReadBaseline compares the contacts of today with typical days, for each kind of contact. The text
// explains why comparisons are missing; it is zero if none is missing. A nil r means that there is no
// statistical data service.
func ReadBaseline(ctx context.Context, r DayComparer, now time.Time) ([]contact.Comparison, words.Text) {
	if r == nil {
		return nil, words.HandoverNoHistory()
	}
	ctx, cancel := context.WithTimeout(ctx, baselineTimeout)
	defer cancel()
	var out []contact.Comparison
	var missing []words.Text
	for i, kind := range contact.Kinds() {
		c, err := r.CompareDay(ctx, now, kind)
		switch {
		case err == nil:
			out = append(out, c)
		case errors.Is(err, context.Canceled):
			return nil, words.HandoverTypicalUnread()
		case i == 0: // the next requests would fail for the same reason
			return nil, words.TextOf(err)
		default:
			missing = append(missing, words.HandoverKindUnread(kindName(kind), words.TextOf(err)))
		}
	}
	return out, words.JoinSentences(missing...)
}

// kindName returns the noun for contacts of a kind, within a sentence.
func kindName(k contact.Kind) words.Text {
	switch k {
	case contact.Inbound:
		return words.HandoverInbound()
	case contact.Outbound:
		return words.HandoverOutbound()
	case contact.Video:
		return words.HandoverVideo()
	case contact.Chat:
		return words.HandoverChats()
	}
	return words.HandoverContacts()
}

// kindTitle returns the noun for contacts of a kind as a heading.
func kindTitle(k contact.Kind) words.Text {
	switch k {
	case contact.Inbound:
		return words.HandoverTitleInbound()
	case contact.Outbound:
		return words.HandoverTitleOutbound()
	case contact.Video:
		return words.HandoverTitleVideo()
	case contact.Chat:
		return words.HandoverTitleChats()
	}
	return words.HandoverTitleContacts()
}
