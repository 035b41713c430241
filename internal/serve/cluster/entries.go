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

// glance returns what one of the servers knows of a key, for as little as that takes. It may
// be old, and where a machine is silent that still counts as there each third question is
// lost. Revision 0: there is nothing.
func (e entries) glance(ctx context.Context, key string) (value []byte, rev uint64, err error) {
	x, err := e.Get(ctx, key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return nil, 0, nil
	case err != nil:
		return nil, 0, err //nolint:wrapcheck // who asks knows of what
	}
	return x.Value(), x.Revision(), nil
}

// found is what a server answers that is asked for the last entry of a key.
type found struct {
	Message struct {
		Seq  uint64 `json:"seq"`
		Data []byte `json:"data"` // none: it was deleted
	} `json:"message"`
	Error *jetstream.APIError `json:"error"`
}

// read returns what was written last, by the leader of the servers that keep it, and its
// revision; nil where it was deleted, and revision 0 where nobody has written.
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
		return nil, 0, err
	}
	return f.Message.Data, f.Message.Seq, nil
}
