package cli

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"strings"
	"testing"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/record"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// TestRecordsNamesAsConfigured checks that a recording without full names contains no name.
func TestRecordsNamesAsConfigured(t *testing.T) {
	t.Parallel()
	text := func(v model.Text) string { s, _ := v.Get(); return s }
	for _, mode := range []model.NameMode{model.NamesFull, model.NamesInitials, model.NamesHidden} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				s := newSitting(t, world.Options{Seed: 7, Services: 2, Groups: 2, Agents: 5})
				defer s.stop()
				agent := s.feed.Latest().Users.Rows()[0]
				called := text(agent.Name) + " " + text(agent.Surname)
				s.config.RTD.Names = append(s.config.RTD.Names, config.Name{Kind: string(model.NameUser), Code: text(agent.Username), Name: "Ottilie"})
				s.config.Record.Names = string(mode)
				tape := s.board.env.StartRecorder(t.Context(), s.config, s.feed, slog.New(slog.DiscardHandler))
				tape.AddMark(model.Event{
					Kind: model.MarkNote, Text: called + " was called", Nameless: "an agent was called",
					Taken: model.TakenAlert{Rule: "wait", Code: "S1", By: called}, NamelessTaken: model.TakenAlert{Rule: "wait", Code: "S1"},
				})
				<-time.After(20 * time.Second)
				tape.Stop()
				all := allOfRecording(t, s.config.Record.Dir)
				names := []string{"Ottilie", called}
				for u := range s.feed.Latest().Users.All() {
					names = append(names, text(u.Username), text(u.Surname))
				}
				for _, name := range names {
					if strings.Contains(all, name) != (mode == model.NamesFull) {
						t.Errorf("%q: it is there, or is not", name)
					}
				}
				if !strings.Contains(all, "was called") || !strings.Contains(all, `"taken":{"rule":"wait","scope":"","code":"S1","level":0`) {
					t.Error("there is no mark of the take-over")
				}
			})
		})
	}
}

// allOfRecording returns the complete content of a recording as text.
func allOfRecording(t *testing.T, dir string) string {
	t.Helper()
	r, err := record.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	film := r.Replay(r.Info().First, 1, nil)
	defer film.Close() //nolint:errcheck // only read from
	in := r.Info()
	var all strings.Builder
	to, pictures := json.NewEncoder(&all), 0
	errs := []error{to.Encode(in.About), to.Encode(in.Marks)}
	for s, err := range film.SampledSnapshots(in.First, in.Last, time.Second) {
		pictures++
		for _, rows := range []any{
			s.Users.Rows(), s.Services.Rows(), s.Groups.Rows(), s.UserStats.Rows(), s.Profiles.Rows(), s.Campaigns.Rows(),
			s.Attendants.Rows(), s.Operators.Rows(), s.OperatorProfiles.Rows(), s.Health,
		} {
			errs = append(errs, err, to.Encode(rows))
		}
	}
	if err := errors.Join(errs...); err != nil || pictures < 15 {
		t.Fatal(pictures, err)
	}
	return all.String()
}

// TestBoardEndsThoughTheDiskHangs checks that a stuck disk does not block the shutdown and
// is logged.
func TestBoardEndsThoughTheDiskHangs(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		s := newSitting(t, world.Options{Seed: 7, Services: 2, Groups: 2, Agents: 5})
		defer s.stop()
		answers, read := make(chan struct{}), make(chan struct{})
		s.board.env.EarlierHours = func(*config.Config) app.EarlierHours {
			return app.EarlierHours{ReadSnapshots: func(context.Context, time.Time, time.Time, time.Duration) iter.Seq2[*model.Snapshot, error] {
				return func(func(*model.Snapshot, error) bool) {
					<-answers
					close(read)
				}
			}}
		}
		began := time.Now()
		s.sits(time.Minute)
		if took := time.Since(began) - time.Minute; took > 10*time.Second {
			t.Errorf("it ends after %v", took)
		}
		if log := s.log.String(); !strings.Contains(log, "disk timeout: the end of the recording may be missing") {
			t.Errorf("the log says\n%s", log)
		}
		if in := recordedFiles(t, s.config.Record.Dir); len(in) != 1 {
			t.Errorf("it recorded %q", in)
		}
		close(answers)
		<-read
	})
}
