package record

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"
)

const (
	// followInterval is the interval at which a replay checks for newly recorded data while it
	// plays near the end of the recording, or after the viewer has requested a time before its
	// start. At other times the interval is slowFollowInterval.
	followInterval     = time.Second
	slowFollowInterval = 10 * time.Second
)

// FollowRecording makes the replay include data that is recorded while it runs, and returns f. It has
// no effect on the replay of a single file. It must be called before the replay is used.
func (f *Replay) FollowRecording() *Replay {
	f.includesNewData = f.recording.dir != ""
	return f
}

// followRecording checks for newly recorded data until ctx ends.
func (f *Replay) followRecording(ctx context.Context) {
	tick := time.NewTicker(followInterval)
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
		if now := f.now(); f.needsNewData() || now.Sub(last) >= slowFollowInterval {
			f.addNewData(&u)
			last = now
		}
	}
}

// needsNewData reports whether the replay plays near the end of the recording, or the viewer has
// requested a time before its start.
func (f *Replay) needsNewData() bool {
	from, to := f.Span()
	f.mu.Lock()
	defer f.mu.Unlock()
	lead := time.Duration(2 * f.speed * float64(followInterval))
	return f.requestedTime.Before(from) || f.speed > 0 && !f.playbackTime().Add(lead).Before(to)
}

// addNewData adds newly recorded data to the replay. The displayed snapshot stays the same. The
// player searches for its position again, because chunks may have been inserted before it.
func (f *Replay) addNewData(u *unpacker) {
	defer f.limiter.takeTurn()()
	rec := f.recording // only this goroutine replaces f.recording
	next := rec.reopen(u)
	if next == rec {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	next.copyDamage(rec)
	p := next.Player()
	p.store = f.player.store // keep the store, because the versions of records must not decrease
	if a := f.player.prefetcher; a != nil {
		a.close()
		p.prefetcher = newPrefetcher(p)
	}
	f.recording, f.player = next, p
	f.publishInfo()
}

// reopen returns a recording with the current content of the directory, or r if nothing has
// changed. The new recording takes over the open files of r. A file that cannot be read at the
// moment keeps its previous content.
func (r *Recording) reopen(u *unpacker) *Recording {
	all, err := segmentPaths(r.dir)
	if err != nil {
		return r
	}
	paths := slices.Clone(all)
	next := &Recording{dir: r.dir, filter: r.filter, openHeader: r.openHeader, removed: slices.Clone(r.removed)}
	same := true
	for _, o := range r.files {
		n, err := o.reopen(u, r.openHeader)
		if errors.Is(err, fs.ErrNotExist) {
			next.removed, same = append(next.removed, o), false
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
		next.addFile(p, all, u)
	}
	if same && len(next.files) == before {
		return r
	}
	next.sortChunks()
	return next
}

// copyDamage copies the known damage of before, an earlier state of the recording, to the same
// chunks of r.
func (r *Recording) copyDamage(before *Recording) {
	for _, c := range before.chunks {
		if i := r.indexOf(c); i >= 0 && c.isDamaged {
			of := &r.chunks[i]
			of.isDamaged, of.Frames, of.Last = true, c.Frames, c.Last
		}
	}
}

// indexOf returns the index of chunk c in r, or -1 if r does not contain it. c may come from
// another state of the recording.
func (r *Recording) indexOf(c fileChunk) int {
	return slices.IndexFunc(r.chunks, func(o fileChunk) bool { return o.file.osFile == c.file.osFile && o.Offset == c.Offset })
}
