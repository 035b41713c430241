package dialect

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"wallboard/feeds/graphql"
	"wallboard/feeds/merge"
)

// documentedType returns document 2's name for the type of a field, or "" if it is not known.
func documentedType(n *field) string {
	if t := n.fragmentType(); t != "" {
		return t
	}
	switch n.name {
	case "customStats":
		return "CustomStat"
	case "value": // the value of a custom statistic contains another field named value
		return "CustomStatValue"
	case "timeInHold":
		return "TimeInHold"
	case "timeInActivityCode", "timeInActivityCodeStateBusy", "timeInActivityCodeStateNotReady":
		return "TimeInActivityCode"
	case "notReadyUsersOnActivityCode", "activityCodeIndicators":
		return "UserProfileInActivityCode"
	}
	if strings.HasSuffix(n.name, "Users") || strings.HasSuffix(n.name, "UsersPrivate") {
		return "UserProfileInStatus"
	}
	return ""
}

// isKeyField reports whether the field at path identifies its record or a list element.
func isKeyField(path string) bool {
	if of, rest, typed := strings.Cut(path, "."); typed && isTypeName(of) {
		path = rest // the path begins with a type of records
	}
	switch path {
	case "username", "code", "channel", "component", "id", "campaignId", "customStats.key":
		return true
	}
	return strings.Contains(path, ".") && strings.HasSuffix(path, ".activityCode")
}

// AddMissingFields records fields to leave out because the server refuses them, and types of objects to
// request in fragments. It reports whether a field or type is new. If no field would be left to
// request, it records only the types.
func (d *Dialect) AddMissingFields(doc *graphql.Document, fields, types []string) bool {
	op := doc.Root
	isNew := d.learnPaths(d.profile.Types, d.pinned.Types, op, types)
	typed := len(recordTypes(d.Types(op))) > 0
	fields = slices.DeleteFunc(slices.Clone(fields), func(path string) bool {
		return isKeyField(path) && (!typed || strings.Contains(path, "."))
	})
	some := *d
	some.profile.MissingFields = map[string][]string{op: slices.Concat(d.profile.MissingFields[op], fields)}
	if some.selection(doc) == emptySelection {
		return isNew
	}
	return d.learnPaths(d.profile.MissingFields, d.pinned.MissingFields, op, fields) || isNew
}

// ApplyFaults records the fields and types that r names for an operation. A field that the server could not
// execute counts only after repeated failures. ApplyFaults reports whether later requests will differ.
func (d *Dialect) ApplyFaults(doc *graphql.Document, r *RequestFaults) bool {
	missing := slices.Concat(r.missingFields, r.refusedKeys)
	for _, path := range r.failedFields {
		if d.evidence.countSupport(claim{claimFieldFails, doc.Root, path}) {
			missing = append(missing, path)
		}
	}
	return d.AddMissingFields(doc, missing, r.fragmentTypes)
}

// CountMisreadField counts a failure against the field that could not be read according to err. It
// reports whether a field is left out from now on.
func (d *Dialect) CountMisreadField(doc *graphql.Document, err error) bool {
	var shape *merge.ShapeError
	return errors.As(err, &shape) && d.countFailures(doc, fieldsByName(parseFields(d.selection(doc)), shape.Field, "", -1))
}

// CountFailedFields counts failures of the fields that the server could not execute according to errs. It
// reports whether a field is left out from now on.
func (d *Dialect) CountFailedFields(doc *graphql.Document, errs []graphql.Error) bool {
	set := parseFields(d.selection(doc))
	var paths []string
	for _, e := range errs {
		paths = append(paths, fieldsAtAnswerPath(set, doc.Root, e.Path)...)
	}
	return d.countFailures(doc, slices.Compact(slices.Sorted(slices.Values(paths))))
}

// countFailures counts failures of the fields at paths. It leaves a field out of later requests
// after repeated failures. isNew is true if it leaves out another field.
func (d *Dialect) countFailures(doc *graphql.Document, paths []string) (isNew bool) {
	op := doc.Root
	for _, path := range paths {
		if isKeyField(path) || !d.evidence.countSupport(claim{claimFieldFails, op, path}) ||
			removeFields(d.selection(doc), []string{path}) == emptySelection {
			continue
		}
		isNew = d.learnPaths(d.profile.MissingFields, d.pinned.MissingFields, op, []string{path}) || isNew
	}
	return isNew
}

// CountCompleteState counts a full state without errors as evidence that the fields of the operation op
// do not fail. If the root field was guessed, it records the guess in the profile, because the
// server has accepted it.
func (d *Dialect) CountCompleteState(op string) {
	if name := d.triedNames.roots[op]; name != "" { // the server has accepted the guessed root field
		delete(d.triedNames.roots, op)
		d.learnRoot(op, name)
	}
	for c := range d.evidence {
		if c.kind == claimFieldFails && c.op == op {
			d.evidence.countContradiction(c)
		}
	}
}

// typeNamePattern matches type names that are safe to put into a request.
var typeNamePattern = regexp.MustCompile(`^[A-Za-z][0-9A-Za-z_]{0,63}$`)

// UnexpectedTypes handles objects that arrived without fields because no field was requested for
// their type. fieldByType maps each such type to the field with the object. types are the paths of
// the types to request from now on. descriptions describe them for display.
func (d *Dialect) UnexpectedTypes(doc *graphql.Document, fieldByType map[string]string) (types, descriptions []string) {
	set := parseFields(d.selection(doc))
	asked := make(map[string]bool)
	walk(set, nil, func(n, _ *field) { asked[n.fragmentType()] = true })
	walk(set, nil, func(n, _ *field) {
		for typ, field := range fieldByType {
			if n.fragmentType() == "" && n.name == field && !asked[typ] && typeNamePattern.MatchString(typ) {
				types = append(types, joinPath(n.path, typ))
				descriptions = append(descriptions, n.path+" of the type "+typ)
			}
		}
	})
	slices.Sort(descriptions)
	return types, slices.Compact(descriptions)
}

// AddTypePaths adds paths of types to request for the operation op. It reports whether one of them is
// new.
func (d *Dialect) AddTypePaths(op string, types []string) bool {
	return d.learnPaths(d.profile.Types, d.pinned.Types, op, types)
}
