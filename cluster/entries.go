package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// entries are what the nodes keep together by keys.
type entries struct{ jetstream.KeyValue }

// found is what a server answers that is asked for the last entry of a key.
type found struct {
	Message struct {
		Seq  uint64 `json:"seq"`
		Data []byte `json:"data"` // none: it was deleted
	} `json:"message"`
	Error *jetstream.APIError `json:"error"`
}

// read returns what was written last, by the leader of the servers that keep it, and its
// revision; nil where it was deleted, and revision 0 where nobody has written. Get asks any
// of them, which may be one that is silent: each third question would be lost while a
// machine without power still counts as there, and what another one says may be old.
func (e entries) read(ctx context.Context, js jetstream.JetStream, key string) (value []byte, rev uint64, err error) {
	m, err := js.Conn().RequestWithContext(ctx, "$JS.API.STREAM.MSG.GET.KV_"+e.Bucket(), fmt.Appendf(nil, `{"last_by_subj":"$KV.%s.%s"}`, e.Bucket(), key))
	if err != nil {
		return nil, 0, err //nolint:wrapcheck // who asks knows of what
	}
	var f found
	err = json.Unmarshal(m.Data, &f)
	if err == nil && f.Error != nil {
		err = f.Error
	}
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return nil, 0, nil
	case err != nil:
		return nil, 0, err //nolint:wrapcheck // who asks knows of what
	}
	return f.Message.Data, f.Message.Seq, nil
}
