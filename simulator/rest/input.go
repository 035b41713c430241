package rest

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
)

// object returns the body, which has to be an object.
func (c *call) object() (object, error) {
	if len(bytes.TrimSpace(c.body)) == 0 {
		return nil, missing("body")
	}
	var o object
	if err := decode(c.body, &o); err != nil {
		return nil, err
	}
	if o == nil {
		return nil, missing("body")
	}
	return o, nil
}

// optionalObject returns the body, which may be missing.
func (c *call) optionalObject() (object, error) {
	if len(bytes.TrimSpace(c.body)) == 0 {
		return object{}, nil
	}
	var o object
	err := decode(c.body, &o)
	if o == nil {
		o = object{}
	}
	return o, err
}

// objects returns the body, which has to be an array of objects.
func (c *call) objects() ([]object, error) {
	var list []object
	if len(bytes.TrimSpace(c.body)) > 0 {
		if err := decode(c.body, &list); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		return nil, missing("body")
	}
	for _, o := range list {
		if o == nil {
			return nil, malformed("null is no element")
		}
	}
	return list, nil
}

// flag reads a boolean parameter; wrong is the error for anything else.
func (c *call) flag(name string, wrong func(string) error) (bool, error) {
	text := c.query.Get(name)
	if text == "" {
		return false, nil
	}
	on, err := strconv.ParseBool(text)
	if err != nil {
		return false, wrong(name + " is neither true nor false")
	}
	return on, nil
}

// integer reads an integer parameter that is at least so much; one that was not
// given is def.
func (c *call) integer(name string, least, def int, wrong func(string) error) (int, error) {
	text := c.query.Get(name)
	if text == "" {
		return def, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || int(n) < least {
		return 0, wrong(name + " is no integer, or too small")
	}
	return int(n), nil
}

// id reads a number in the path.
func (c *call) id(name string) (int64, error) {
	text, err := c.pathText(name)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, malformed(name + " is no integer")
	}
	return n, nil
}

// pathText reads a text in the path, which must not be blank.
func (c *call) pathText(name string) (string, error) {
	text := c.http.PathValue(name)
	if strings.TrimSpace(text) == "" {
		return "", missing(name)
	}
	return text, nil
}

// normalPageSize is how much of a list is returned when nothing is asked for.
const normalPageSize = 50

// paged returns one page of a list, and how long the list is: a search result
// of document 1.
func paged(c *call, list []object, wrong func(string) error) (any, error) {
	number, err := c.integer("pageNumber", 1, 1, wrong)
	if err != nil {
		return nil, err
	}
	size, err := c.integer("pageSize", 1, normalPageSize, wrong)
	if err != nil {
		return nil, err
	}
	list = now(c, list)
	from, to := c.lists.page(len(list), number, size)
	return partOf(list, from, to), nil
}

// partOf is a search result of document 1: a part of a list.
func partOf(list []object, from, to int) listAnswer {
	rows := append([]object{}, list[from:to]...) // never nil, so that it is an array in JSON
	return listAnswer{rows, len(list), object{"result": rows, "tot": len(list)}}
}

// wrongPage is the error of a wrong page where document 1 has 412.
func wrongPage(message string) error {
	return &failure{http.StatusPreconditionFailed, "GenericObjectRequiredException", message}
}
