package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// entries is a bucket of the cluster.
type entries struct{ jetstream.KeyValue }

// glance reads a key from any one of its servers, which is cheap. The value may be out of
// date. While one server of three is dead but still counted, every third request is lost.
// Revision 0 means that the key has no value.
func (e entries) glance(ctx context.Context, key string) (value []byte, rev uint64, err error) {
	x, err := e.Get(ctx, key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return nil, 0, nil
	case err != nil:
		return nil, 0, err
	}
	return x.Value(), x.Revision(), nil
}

// found is the answer of a server to a request for the last entry of a key.
type found struct {
	Message struct {
		Seq  uint64 `json:"seq"`
		Data []byte `json:"data"` // empty if the key was deleted
	} `json:"message"`
	Error *jetstream.APIError `json:"error"`
}

// read reads the last value of a key and its revision from the leader of the bucket. The
// value is nil if the key was deleted, and the revision 0 if it was never written.
func (e entries) read(ctx context.Context, js jetstream.JetStream, key string) (value []byte, rev uint64, err error) {
	m, err := js.Conn().RequestWithContext(ctx, "$JS.API.STREAM.MSG.GET.KV_"+e.Bucket(), fmt.Appendf(nil, `{"last_by_subj":"$KV.%s.%s"}`, e.Bucket(), key))
	if err != nil {
		return nil, 0, err
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
