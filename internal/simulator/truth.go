package simulator

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

// CurrentState returns the current state of the platform as a JSON document. It contains the records of
// each kind under the name of their operation, with the field names of document 2. Records are
// sorted by key, then by channel and component in the order of document 2. Members of unions are
// inlined, dates are in ISO 8601 in UTC with milliseconds, and users have no field mutation.
//
// The document is encoded directly from the records of the world, without the encoders of the
// services. Tests can therefore compare it with the output of the services.
func (s *Server) CurrentState() []byte {
	document := make(map[string][]object)
	for _, t := range s.recordTables() {
		list := make([]object, len(t.records))
		for i, r := range t.records {
			list[i] = s.encodeRecord(r)
		}
		document[t.operation] = list
	}
	return webservice.JSON(document)
}

// EachRecord calls f for each current record of the platform, with the name of its operation,
// the record, and a function that returns the record's JSON as in [Server.CurrentState]. Records are
// immutable: the same pointer means that the record has not changed.
func (s *Server) EachRecord(f func(operation string, record any, encode func() []byte)) {
	for _, t := range s.recordTables() {
		for _, r := range t.records {
			f(t.operation, r, func() []byte { return webservice.JSON(s.encodeRecord(r)) })
		}
	}
}

// recordTable holds pointers to the records of an operation, sorted by key.
type recordTable struct {
	operation string
	records   []any
}

func (s *Server) recordTables() []recordTable {
	type keyed interface{ Key() world.Key }
	var tables []recordTable
	for field, value := range reflect.ValueOf(s.world.State()).Elem().Fields() {
		records := make([]any, value.Len())
		for i := range records {
			records[i] = value.Index(i).Interface()
		}
		slices.SortFunc(records, func(a, b any) int { return a.(keyed).Key().Compare(b.(keyed).Key()) })
		tables = append(tables, recordTable{field.Tag.Get("op"), records})
	}
	return tables
}

// object is a JSON object to be encoded.
type object map[string]any

// encodeRecord converts a record of the world to a JSON object.
func (s *Server) encodeRecord(record any) object {
	o := encodeFields(reflect.ValueOf(record).Elem())
	switch r := record.(type) {
	case *world.ServiceStat:
		o["channelStats"].(object)["__typename"] = s.counterType(r.Channel)
	case *world.UserStat:
		clearCallFigures(o, r.Channel)
	case *world.UserProfileStat:
		clearCallFigures(o, r.Channel)
		if r.TimeInHold.Never && s.opts.Switches.NeverHeld != rtd.NeverHeldLogin {
			o["timeInHold"].(object)["timeInState"] = nil
		}
	}
	return o
}

// counterType returns the type of a service's counters on a channel.
func (s *Server) counterType(channel string) string {
	switch types := s.opts.Switches.ChannelTypes; {
	case types == rtd.TypesOne || channel == world.Call:
		return "ServiceCcCallAtStat"
	case types == rtd.TypesEach:
		return rtd.MediaType(channel)
	}
	return "ServiceMediaStat"
}

// clearCallFigures sets the figures that document 2 defines only for calls to null on other
// channels.
func clearCallFigures(o object, channel string) {
	if channel == world.Call {
		return
	}
	for _, name := range []string{
		"numberCallOut", "numberCallOutPrivate", "timeInStateBusyDnCallIn", "timeInStateBusyDnCallOut", "timeInStateBusyDnCallOutPrivate",
	} {
		o[name] = nil
	}
}

// encodeFields converts a struct to a JSON object. The name of a field is in its tag json, or
// is the Go name with a small first letter. The tag type is the __typename of a member of a
// union. The object contains the fields of embedded structs.
func encodeFields(v reflect.Value) object {
	o := object{}
	for field, value := range v.Fields() {
		name := field.Tag.Get("json")
		switch {
		case name == "-":
		case field.Anonymous:
			maps.Copy(o, encodeFields(value))
		case name == "":
			o[strings.ToLower(field.Name[:1])+field.Name[1:]] = encodeValue(value)
		default:
			o[name] = encodeValue(value)
			if typeName := field.Tag.Get("type"); typeName != "" {
				o[name].(object)["__typename"] = typeName
			}
		}
	}
	return o
}

// encodeValue converts a field to a JSON value. An array of strings becomes an object with a
// member for each channel, in which an empty string is null.
func encodeValue(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case time.Time:
		return webservice.FormatDate(x)
	case world.CustomStat:
		return object{"key": x.Key, "value": object{"aggregatedValue": x.AggregatedValue, "value": x.Value}}
	case [world.NumChannels]string:
		o := object{}
		for i, channel := range world.Channels() {
			o[channel] = nil
			if x[i] != "" {
				o[channel] = x[i]
			}
		}
		return o
	}
	switch v.Kind() { //nolint:exhaustive // other kinds are encoded as they are
	case reflect.Struct:
		return encodeFields(v)
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = encodeValue(v.Index(i))
		}
		return list
	}
	return v.Interface()
}
