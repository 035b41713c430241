package rest

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
)

// parseObject parses the body as a JSON object.
func (c *apiRequest) parseObject() (object, error) {
	if len(bytes.TrimSpace(c.body)) == 0 {
		return nil, missingFieldError("body")
	}
	var o object
	if err := decodeBody(c.body, &o); err != nil {
		return nil, err
	}
	if o == nil {
		return nil, missingFieldError("body")
	}
	return o, nil
}

// parseOptionalObject parses the body as a JSON object. It returns an empty object if there is
// no body.
func (c *apiRequest) parseOptionalObject() (object, error) {
	if len(bytes.TrimSpace(c.body)) == 0 {
		return object{}, nil
	}
	var o object
	err := decodeBody(c.body, &o)
	if o == nil {
		o = object{}
	}
	return o, err
}

// parseObjects parses the body as a nonempty JSON array of objects.
func (c *apiRequest) parseObjects() ([]object, error) {
	var list []object
	if len(bytes.TrimSpace(c.body)) > 0 {
		if err := decodeBody(c.body, &list); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		return nil, missingFieldError("body")
	}
	for _, o := range list {
		if o == nil {
			return nil, malformedError("an element of the array is null")
		}
	}
	return list, nil
}

// queryFlag parses a boolean query parameter. It returns false if the parameter is missing.
// For an invalid value, it returns an error made by toError from a message.
func (c *apiRequest) queryFlag(name string, toError func(string) error) (bool, error) {
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

// queryInteger parses an integer query parameter that must be at least minimum. It returns def
// if the parameter is missing. For an invalid value, it returns an error made by toError from
// a message.
func (c *apiRequest) queryInteger(name string, minimum, def int, toError func(string) error) (int, error) {
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

// pathID parses a parameter of the path as an integer.
func (c *apiRequest) pathID(name string) (int64, error) {
	text, err := c.pathText(name)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, malformedError(name + " is not an integer")
	}
	return n, nil
}

// pathText returns a parameter of the path. It returns an error if the parameter is blank.
func (c *apiRequest) pathText(name string) (string, error) {
	text := c.request.PathValue(name)
	if strings.TrimSpace(text) == "" {
		return "", missingFieldError(name)
	}
	return text, nil
}

// defaultPageSize is the default number of elements per page.
const defaultPageSize = 50

// pageOf returns the page of list requested by the parameters pageNumber and pageSize, as a
// search result of document 1. For an invalid parameter, it returns an error made by toError
// from a message.
func pageOf(c *apiRequest, list []object, toError func(string) error) (any, error) {
	number, err := c.queryInteger("pageNumber", 1, 1, toError)
	if err != nil {
		return nil, err
	}
	size, err := c.queryInteger("pageSize", 1, defaultPageSize, toError)
	if err != nil {
		return nil, err
	}
	list = dropMissingRows(c, list)
	from, to := c.listOptions.pageRange(len(list), number, size)
	return newListAnswer(list, from, to), nil
}

// newListAnswer returns the page list[from:to] as a search result of document 1, with the
// total number of elements.
func newListAnswer(list []object, from, to int) listAnswer {
	rows := append([]object{}, list[from:to]...) // not nil, so that JSON contains an array
	return listAnswer{rows, len(list), object{"result": rows, "tot": len(list)}}
}

// invalidPageError returns the error for invalid paging parameters of an operation for which
// document 1 shows status 412.
func invalidPageError(message string) error {
	return &restError{http.StatusPreconditionFailed, "GenericObjectRequiredException", message}
}
