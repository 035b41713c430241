package record

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/securefile"
)

// ErrEmpty means that nothing was recorded in the requested period.
var ErrEmpty = errors.New("nothing was recorded then")

// ErrNoRecipients means that a copy of an encrypted recording would not be encrypted.
var ErrNoRecipients = errors.New("the recording is encrypted, and no key is named with which its copy could be encrypted")

// Export writes the snapshots of a recording between two times to a new file that only its owner
// can read. It anonymizes the snapshots with scrub and returns their number. It does not overwrite
// an existing file. It removes the new file after an error, or if scrub finds a name in it. If ctx
// ends, the error is that of ctx. If one of the locks has keys, Export encrypts the file.
// Without keys, it returns [ErrNoRecipients] for an encrypted recording; for an empty period, [ErrEmpty].
func Export(ctx context.Context, r *Recording, from, to time.Time, path string, scrub *Scrubber, locks ...secret.Lock) (frames int, err error) {
	hasKeys := func(l secret.Lock) bool { return len(l) > 0 }
	if r.Info().Encrypted > 0 && !slices.ContainsFunc(locks, hasKeys) {
		return 0, ErrNoRecipients
	}
	out, err := securefile.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY)
	if err != nil {
		return 0, err
	}
	w := frameWriter{out: out, recipients: locks}
	frames, err = r.export(ctx, from, to, &w, scrub)
	if err = errors.Join(err, out.Close()); err == nil && frames == 0 {
		err = ErrEmpty
	}
	if err == nil {
		err = scrub.check(path, func([]byte) ([]byte, error) { return w.segment.content, nil })
	}
	if err != nil {
		return 0, errors.Join(err, os.Remove(path))
	}
	return frames, nil
}

func (r *Recording) export(ctx context.Context, from, to time.Time, out *frameWriter, scrub *Scrubber) (frames int, err error) {
	about, _ := r.About(from, to)
	out.metadata = scrub.About(about)
	p := r.Player()
	s, err := p.Seek(from)
	if err == nil && s == nil {
		s, err = p.Next()
	}
	for ; err == nil && s != nil && !s.At.After(to); s, err = p.Next() {
		if s.At.Before(from.Add(-maxFramePause)) {
			continue // s is before the period, or is the last snapshot before a gap that extends into the period
		}
		scrubbed, err := scrub.Apply(s)
		if err == nil {
			err = errors.Join(out.add(scrubbed, s.At), ctx.Err())
		}
		if err != nil {
			return frames, err
		}
		frames++
	}
	if err != nil || out.segment == nil {
		return frames, err
	}
	for _, m := range r.Info().Marks {
		if m = scrub.AnonymizeMark(m); m.At.Before(from) || m.At.After(to) || m.Kind == MarkIncident && m.Incident == nil {
			continue
		}
		if err := out.segment.writeMark(m); err != nil {
			return frames, err
		}
	}
	return frames, out.segment.close()
}
