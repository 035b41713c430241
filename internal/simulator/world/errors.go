package world

import (
	"errors"
	"fmt"
)

// Errors of actions. An action that fails does not change the world, except for [Phones.Dial] with
// [ErrRecording]. The comments give the statuses for these errors in document 1, section Errors.
var (
	ErrNoUser     = errors.New("no such user")                              // 404; 412 for dial
	ErrNoClient   = errors.New("the user's telephone client is not in use") // 412
	ErrInvalid    = errors.New("invalid argument")                          // 406
	ErrDialFailed = errors.New("dialing failed")                            // 502
	ErrBusy       = fmt.Errorf("%w: the user is busy", ErrDialFailed)       // 502
	ErrNoCall     = errors.New("no such call")                              // 404
	ErrRecording  = errors.New("recording failed")                          // 580
	ErrNoService  = errors.New("no such service")                           // 404
	ErrNoCampaign = errors.New("no such campaign")                          // 404
	ErrNoList     = errors.New("no such list")                              // 404
	ErrNoItem     = errors.New("no such list item")                         // 404
	ErrExists     = errors.New("the object already exists")                 // 409
	ErrDisabled   = errors.New("the campaign is not enabled")               // none: the operation returns false
)
