package ui

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/ui/replay"
)

// shelf provides a recording in stages: first an empty one, then only its last snapshot, then all of it.
type shelf struct {
	*theatre
	err    error // why there is no recording; nil: there is one
	all    bool
	coming bool
	viewed []time.Time // starts of the replays in the access log
}

func newShelf(t *testing.T) *shelf {
	sh := &shelf{err: replay.ErrNothingRecorded, coming: true}
	sh.theatre = newTheatre(t, func(o *Options) {
		o.Archive.Open = func() (replay.Recording, error) {
			if sh.err != nil {
				return nil, sh.err
			}
			film := &memoryFilm{pace: 1, pictures: sh.film.pictures}
			if !sh.all {
				film.pictures = film.pictures[len(film.pictures)-1:]
			}
			return film, nil
		}
		o.Archive.IsPreparing = func() bool { return sh.coming }
		o.Archive.LogAccess = func(a replay.RecordingAccess) { sh.viewed = append(sh.viewed, a.ReplayFrom) }
	})
	return sh
}

const isAwaited = "is not recorded yet: the board goes there as soon as it is"

// TestRewindWaitsForTheRecording requests an instant that is not recorded yet: the board
// says that it waits and goes there later.
func TestRewindWaitsForTheRecording(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sh := newShelf(t)
		sh.types("back 6m")
		sh.shows(isAwaited, "esc: stay", "LIVE")
		sh.pass(7 * time.Second) // longer than an ordinary message stays on the screen
		sh.shows(isAwaited, "LIVE")
		sh.err = nil
		sh.pass(7 * time.Second)
		sh.shows(isAwaited, "LIVE")
		sh.all = true
		sh.pass(time.Second)
		sh.shows("REWOUND")
		if len(sh.viewed) != 1 || sh.viewed[0].IsZero() {
			t.Errorf("the access log has replays from %v, want one", sh.viewed)
		}
		if ago := sh.v.liveFloor.scene.Now().Sub(sh.v.shownFloor.replay.At()); ago < 6*time.Minute || ago > 6*time.Minute+20*time.Second {
			t.Errorf("the board shows the state %v ago", ago)
		}
		sh.press("Z")
		sh.pass(2 * rewindRetryLimit)
		sh.shows("LIVE")
	})
}

// TestRewindShowsWhatThereIs requests no instant before anything is recorded: the board
// shows the first snapshot.
func TestRewindShowsWhatThereIs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sh := newShelf(t)
		sh.press("Z")
		sh.shows("Nothing is recorded yet: the board rewinds as soon as there is data. esc: stay", "LIVE")
		sh.err = nil
		sh.pass(time.Second)
		sh.shows("REWOUND", "The recording begins at")
	})
}

// TestRewindWaitsNoMore checks the ends of the wait: by key, by another request, by
// timeout.
func TestRewindWaitsNoMore(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(sh *shelf){
		"taken back": func(sh *shelf) {
			sh.press("2")
			sh.press("esc")
			sh.shows("The board stays live.")
			if page := sh.v.liveFloor.pages.Current; page != 1 {
				t.Errorf("the key leads to page %d, too", page)
			}
			sh.err, sh.all = nil, true
			sh.pass(2 * rewindRetryLimit)
			sh.shows("LIVE")
			sh.hides("REWOUND")
		},
		"elsewhere": func(sh *shelf) {
			sh.types("back 4m")
			sh.err, sh.all = nil, true
			sh.pass(2 * time.Second)
			sh.shows("REWOUND")
			if ago := sh.v.liveFloor.scene.Now().Sub(sh.v.shownFloor.replay.At()); ago > 5*time.Minute {
				t.Errorf("the board shows the state %v ago", ago)
			}
		},
		"too long": func(sh *shelf) {
			sh.pass(rewindRetryLimit + time.Second)
			sh.shows("There is nothing to rewind to: nothing is recorded yet")
			sh.err, sh.all = nil, true
			sh.pass(rewindRetryLimit)
			sh.hides("REWOUND")
		},
		"trouble": func(sh *shelf) {
			sh.coming = false
			sh.pass(time.Second)
			sh.shows("There is nothing to rewind to: nothing is recorded yet")
		},
		"another": func(sh *shelf) {
			sh.err = errors.New("the disk is gone")
			sh.pass(time.Second)
			sh.shows("There is nothing to rewind to: the disk is gone")
		},
		"no more of it": func(sh *shelf) {
			sh.err, sh.coming = nil, false
			sh.pass(time.Second)
			sh.shows("REWOUND", "The recording begins at")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				sh := newShelf(t)
				sh.types("back 6m")
				sh.shows(isAwaited)
				end(sh)
			})
		})
	}
}

// TestRewindWithoutARecording checks the message if there will be no recording.
func TestRewindWithoutARecording(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sh := newShelf(t)
		sh.coming = false
		sh.types("back 6m")
		sh.shows("There is nothing to rewind to: nothing is recorded yet")
		sh.err = nil
		sh.pass(rewindRetryLimit)
		sh.hides("REWOUND")
	})
}

// TestPendingRewindLeavesTheKeyboard opens the palette while the board waits for a recording. The
// board rewinds only after the palette has closed. If it stays open for too long, the board stays.
func TestPendingRewindLeavesTheKeyboard(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{false, true} {
		t.Run(map[bool]string{false: "in time", true: "late"}[late], func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				sh := newShelf(t)
				sh.types("back 6m")
				sh.press(":")
				sh.err, sh.all = nil, true
				sh.pass(2 * time.Second)
				if late {
					sh.pass(rewindRetryLimit)
				}
				if sh.v.mode != modePalette || sh.v.isReplaying() {
					t.Errorf("mode %v, rewound: %v", sh.v.mode, sh.v.isReplaying())
				}
				sh.press("esc")
				sh.pass(time.Second)
				if sh.v.isReplaying() == late {
					t.Errorf("rewound: %v", !late)
				}
			})
		})
	}
}

// TestPendingRewindIsTriedOnce requests the same instant three times. The board looks for the
// recording no more often than after one request.
func TestPendingRewindIsTriedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sh := newShelf(t)
		sh.press("Z", "Z", "Z")
		attempts, open := 0, sh.v.liveFloor.scene.Archive.Open
		sh.v.liveFloor.scene.Archive.Open = func() (replay.Recording, error) { attempts++; return open() }
		sh.pass(10*rewindRetryInterval + rewindRetryInterval/2)
		if attempts > 11 {
			t.Errorf("%d attempts in %v", attempts, 10*rewindRetryInterval)
		}
	})
}
