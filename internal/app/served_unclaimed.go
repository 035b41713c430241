package app

import (
	"reflect"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/words"
	"wallboard/model"
)

// announceUnclaimed announces a situation that no viewer has taken over. All viewers with the visibility
// of u, except walls, get a message. If these viewers see the whole floor with full names and an alert of
// the situation is critical, announceUnclaimed also notifies the targets of [[notify]]. If u.HasEnded is
// true, it removes the message and notifies the targets of the end.
func (f *ServedPlatform) announceUnclaimed(u hub.UnclaimedSituation) {
	c := f.Platform.Config()
	told := words.AppUnclaimed(c.Serve.EscalateAfter, u.Situation.Message())
	message := told
	if u.HasEnded {
		message = words.Text{}
	}
	f.ViewerRoom.Broadcast(u.Situation.ID, message, func(name string) bool {
		return slices.ContainsFunc(c.Serve.Users, func(user config.ServeUser) bool {
			return user.Name == name && VisibilityOf(&user).Key() == u.Visibility.Key()
		})
	})
	if wholeFloor := (hub.Visibility{Names: model.NamesFull}); f.Platform.Notifier == nil || !reflect.DeepEqual(u.Visibility, wholeFloor) {
		return
	}
	for i := range u.Situation.Alerts {
		if a := u.Situation.Alerts[i]; a.Level == alert.Critical {
			kind := alert.ChangeEscalated
			if u.HasEnded {
				kind, a.Ended = alert.ChangeCleared, time.Now()
			}
			a.ID, a.Ack = u.Situation.ID+"/untaken", alert.Ack{}
			a.SetMessage(words.Text{}, told)
			if n := f.Platform.Notifier.runningNotifier(); n != nil {
				n.Notify(c.Platform, []alert.Change{{Kind: kind, Alert: a}})
			}
			return
		}
	}
}
