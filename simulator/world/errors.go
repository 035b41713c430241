package world

import (
	"errors"
	"fmt"
)

// What keeps an action from being done. The world is then as it was before,
// but for [ErrRecording] from [Phones.Dial]. The statuses are those of
// document 1, section Errors.
var (
	ErrNoUser     = errors.New("no such user")                              // 404; 412 when dialling
	ErrNoClient   = errors.New("the user's telephone client is not in use") // 412
	ErrInvalid    = errors.New("invalid argument")                          // 406
	ErrDialFailed = errors.New("dialling failed")                           // 502
	ErrBusy       = fmt.Errorf("%w: the user is busy", ErrDialFailed)       // 502
	ErrNoCall     = errors.New("no such call")                              // 404
	ErrRecording  = errors.New("recording failed")                          // 580
	ErrNoService  = errors.New("no such service")                           // 404
	ErrNoCampaign = errors.New("no such campaign")                          // 404
	ErrNoList     = errors.New("no such list")                              // 404
	ErrNoItem     = errors.New("no such list item")                         // 404
	ErrExists     = errors.New("it exists already")                         // 409
	ErrDisabled   = errors.New("the campaign is not enabled")               // none: the answer is false
)
