package handover

import (
	"context"
	"errors"
	"strings"
	"time"

	"wallboard/model/contact"
)

// DayComparer compares a day with earlier days of the same weekday.
type DayComparer interface {
	Day(ctx context.Context, date time.Time, kind contact.Kind) (contact.Comparison, error)
}

// baselineTimeout limits the duration of [ReadBaseline].
const baselineTimeout = 30 * time.Second

// ReadBaseline compares the contacts of today with typical days, for each kind of contact. The
// string explains why comparisons are missing; it is "" if none is missing. A nil r means that
// there is no statistical data service.
func ReadBaseline(ctx context.Context, r DayComparer, now time.Time) ([]contact.Comparison, string) {
	if r == nil {
		return nil, "[history] is not configured, so there is no typical day."
	}
	ctx, cancel := context.WithTimeout(ctx, baselineTimeout)
	defer cancel()
	var out []contact.Comparison
	var missing []string
	for i, kind := range contact.Kinds() {
		c, err := r.Day(ctx, now, kind)
		switch {
		case err == nil:
			out = append(out, c)
		case errors.Is(err, context.Canceled):
			return nil, "The typical day was not read."
		case i == 0: // the next requests would fail for the same reason
			return nil, err.Error()
		default:
			missing = append(missing, kind.String()+": "+err.Error())
		}
	}
	return out, strings.Join(missing, " ")
}
