package app

import (
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/record"
	"wallboard/internal/serve/sshterminal"
	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/replay"
	uilook "wallboard/ui/style"
)

// ServedPlatform is a platform of a server with the state that its viewers share. Different
// platforms share only the log of visits.
type ServedPlatform struct {
	Platform   *Platform
	ViewerRoom *hub.Room
	visits     *VisitLog // nil: visits are not logged

	replaySlots     chan struct{}           // limits the number of replays
	replayLimiter   *record.CPULimiter      // makes the replays read the recording in turns
	evaluationQueue *replay.EvaluationQueue // makes the viewers evaluate past snapshots one at a time
	lookCaches      uilook.LookCaches       // rendering caches of boards with the same view
}

// AddPlatform adds the platform that open returns to the server.
func (s *BoardServer) AddPlatform(open func(PlatformOptions) (*Platform, error)) (err error) {
	f := &ServedPlatform{ViewerRoom: hub.NewRoom(nil), visits: s.visits, replaySlots: make(chan struct{}, MaxReplays), replayLimiter: record.NewCPULimiter(drawingTimeLeft), evaluationQueue: replay.NewQueue(drawingTimeLeft)}
	f.Platform, err = open(PlatformOptions{HasBoards: true, ViewerCount: s.sessionCount, HubOptions: hub.Options{OnUnclaimed: f.announceUnclaimed, OnAction: f.ViewerRoom.NotifyAlertAction}})
	if err != nil {
		return err
	}
	s.closers = append(s.closers, f.Platform.Close)
	s.Platforms = append(s.Platforms, f)
	return nil
}

// seesEverything reports whether a user may see the whole floor with full names.
func seesEverything(u *config.ServeUser) bool {
	part := u.Part()
	return part.IsWholeFloor() && u.NameMode() == string(model.NamesFull)
}

// viewerOptions returns the options of a user's board for this platform. If err is nil, the session
// must call leave when it ends.
func (f *ServedPlatform) viewerOptions(u *config.ServeUser, x *sshterminal.Session) (o ui.Options, leave func(), err error) {
	c := f.Platform.Config()
	viewer, err := f.Platform.Hub.NewViewer(VisibilityOf(u), 0, 0)
	if err != nil {
		return o, nil, err
	}
	if o, err = ViewerOptions(c, u, viewer, x.Env); err != nil {
		return o, nil, err
	}
	controller, release, err := f.Platform.Control.ControllerFor(u)
	if err != nil {
		return o, nil, err
	}
	o.Process.SharedCaches = f.lookCaches.ForView(c, VisibilityOf(u).Key())
	seat := f.ViewerRoom.Enter(hub.Participant{Name: u.Name, Wall: o.Kiosk != nil, CanTurnWalls: u.CanAct()})
	o.OtherViewers.Member = seat
	seesAll := seesEverything(u)
	if seesAll {
		o.History, o.Process.ProblemText = f.Platform.History.Reader(), f.Platform.Recorder.Problem
	}
	o.Archive, o.Process.RecordEvent = f.archiveFor(c, u, viewer), f.Platform.MarkEvent
	f.visits.logAccess(&o.Archive, u.Name, c.RTD.URL, viewer.Observations().Username)
	if o.Actions.Controller = controller; controller != nil && seesAll {
		o.Actions.PastActions = NewActionReader(c, f.Platform.Log)
	}
	return o, func() { seat.Leave(); release() }, nil
}
