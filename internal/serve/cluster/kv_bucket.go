package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// kvBucket is a replicated key-value bucket of the cluster.
type kvBucket struct{ jetstream.KeyValue }

// readAny reads a key from any server of the bucket, which costs less than reading from the leader.
// The value may be out of date. Until the failure of one of three servers is recognized, every
// third request gets no answer. A revision of 0 means that the key has no value.
func (e kvBucket) readAny(ctx context.Context, key string) (value []byte, rev uint64, err error) {
	entry, err := e.Get(ctx, key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return nil, 0, nil
	case err != nil:
		return nil, 0, err
	}
	return entry.Value(), entry.Revision(), nil
}

// lastEntryResponse is a server's response to a request for the last entry of a key.
type lastEntryResponse struct {
	Message struct {
		Seq  uint64 `json:"seq"`
		Data []byte `json:"data"` // empty if the key was deleted
	} `json:"message"`
	Error *jetstream.APIError `json:"error"`
}

// readFromLeader reads the newest value of a key and its revision from the leader of the bucket.
// The value is nil if the key was deleted. The revision is 0 if the key was never written.
func (e kvBucket) readFromLeader(ctx context.Context, js jetstream.JetStream, key string) (value []byte, rev uint64, err error) {
	reply, err := js.Conn().RequestWithContext(ctx, "$JS.API.STREAM.MSG.GET.KV_"+e.Bucket(), fmt.Appendf(nil, `{"last_by_subj":"$KV.%s.%s"}`, e.Bucket(), key))
	if err != nil {
		return nil, 0, err
	}
	var response lastEntryResponse
	err = json.Unmarshal(reply.Data, &response)
	if err == nil && response.Error != nil {
		err = response.Error
	}
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return nil, 0, nil
	case err != nil:
		return nil, 0, err
	}
	return response.Message.Data, response.Message.Seq, nil
}
