package rest

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
)

// object parses the body as an object.
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

// optionalObject parses the body as an object. A missing body is an empty object.
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

// objects parses the body as a nonempty array of objects.
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
			return nil, malformed("an element of the array is null")
		}
	}
	return list, nil
}

// flag parses a boolean parameter. toError converts the message for an invalid value
// into an error.
func (c *call) flag(name string, toError func(string) error) (bool, error) {
	text := c.query.Get(name)
	if text == "" {
		return false, nil
	}
	value, err := strconv.ParseBool(text)
	if err != nil {
		return false, toError(name + " is not a boolean")
	}
	return value, nil
}

// integer parses an integer parameter with a minimum. It returns def if the
// parameter is missing.
func (c *call) integer(name string, minimum, def int, toError func(string) error) (int, error) {
	text := c.query.Get(name)
	if text == "" {
		return def, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || int(n) < minimum {
		return 0, toError(name + " is not an integer or is too small")
	}
	return int(n), nil
}

// id parses a number in the path.
func (c *call) id(name string) (int64, error) {
	text, err := c.pathText(name)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, malformed(name + " is not an integer")
	}
	return n, nil
}

// pathText returns a text in the path, which must not be blank.
func (c *call) pathText(name string) (string, error) {
	text := c.http.PathValue(name)
	if strings.TrimSpace(text) == "" {
		return "", missing(name)
	}
	return text, nil
}

// normalPageSize is the default number of elements per page.
const normalPageSize = 50

// paged returns a page of a list and the length of the list: a search result of
// document 1.
func paged(c *call, list []object, toError func(string) error) (any, error) {
	number, err := c.integer("pageNumber", 1, 1, toError)
	if err != nil {
		return nil, err
	}
	size, err := c.integer("pageSize", 1, normalPageSize, toError)
	if err != nil {
		return nil, err
	}
	list = currentRows(c, list)
	from, to := c.lists.page(len(list), number, size)
	return listPart(list, from, to), nil
}

// listPart returns a part of a list as a search result of document 1.
func listPart(list []object, from, to int) listAnswer {
	rows := append([]object{}, list[from:to]...) // not nil, so that JSON contains an array
	return listAnswer{rows, len(list), object{"result": rows, "tot": len(list)}}
}

// invalidPage returns the error for invalid paging parameters of operations for which
// document 1 specifies 412.
func invalidPage(message string) error {
	return &failure{http.StatusPreconditionFailed, "GenericObjectRequiredException", message}
}
