package record

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"
)

const (
	// followEvery is how often a film looks whether more is recorded by now, where somebody
	// comes to its end or waits for what was before its beginning; followSeldom where nobody
	// does.
	followEvery  = time.Second
	followSeldom = 10 * time.Second
)

// Follow has a film go on with what is recorded after it was opened, and with what of the
// time before comes to the folder only then. It is called before anybody looks at the film.
func (f *Film) Follow() *Film {
	f.follows = f.rec.dir != ""
	return f
}

// follow looks for more until the context ends.
func (f *Film) follow(ctx context.Context) {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	var u unpacker
	defer u.close()
	last := f.now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if now := f.now(); f.waits() || now.Sub(last) >= followSeldom {
			f.renew(&u)
			last = now
		}
	}
}

// waits reports whether somebody is about to come to the end, or wants to go to what is not
// there yet.
func (f *Film) waits() bool {
	from, to := f.Span()
	f.mu.Lock()
	defer f.mu.Unlock()
	soon := time.Duration(2 * f.pace * float64(followEvery))
	return f.asked.Before(from) || f.pace > 0 && !f.at().Add(soon).Before(to)
}

// renew takes over what there is by now. What is shown stays, and is looked for anew: chunks
// may have come before it.
func (f *Film) renew(u *unpacker) {
	defer f.turns.take()()
	rec := f.rec // nobody else has another one
	next := rec.again(u)
	if next == rec {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	next.spoilAs(rec)
	p := next.Player()
	p.store = f.player.store // versions only grow
	if a := f.player.ahead; a != nil {
		a.close()
		p.ahead = newAhead(p)
	}
	f.rec, f.player = next, p
	f.note()
}

// again returns what the directory holds by now, and the same where nothing has come to it.
// The files of the one before are its own then. What cannot be read now is as it was.
func (r *Recording) again(u *unpacker) *Recording {
	all, err := segments(r.dir)
	if err != nil {
		return r
	}
	paths := slices.Clone(all)
	next := &Recording{dir: r.dir, wanted: r.wanted, left: slices.Clone(r.left)}
	same := true
	for _, o := range r.files {
		n, err := o.again(u)
		if errors.Is(err, fs.ErrNotExist) {
			next.left, same = append(next.left, o), false
			continue
		}
		if err != nil {
			n = o
		}
		next.files, same = append(next.files, n), same && n == o
		paths = slices.DeleteFunc(paths, func(p string) bool { return p == o.path })
	}
	before := len(next.files)
	for _, p := range paths {
		next.open(p, all, u)
	}
	if same && len(next.files) == before {
		return r
	}
	next.sort()
	return next
}

// spoilAs takes over what was found to be damaged in the same files.
func (r *Recording) spoilAs(before *Recording) {
	for _, c := range before.chunks {
		if i := r.indexOf(c); i >= 0 && c.damaged {
			of := &r.chunks[i]
			of.damaged, of.Frames, of.Last = true, c.Frames, c.Last
		}
	}
}

// indexOf returns where a chunk of the same files is, -1 where it is not any more.
func (r *Recording) indexOf(c chunkOf) int {
	return slices.IndexFunc(r.chunks, func(o chunkOf) bool { return o.file.f == c.file.f && o.Offset == c.Offset })
}
