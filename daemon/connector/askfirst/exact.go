package askfirst

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"showhow/internal/fault"
)

// Object refuses arguments that are no object, which no tool takes. No arguments, and null, are those without a key.
func Object(args json.RawMessage) error {
	if args = bytes.TrimSpace(args); len(args) == 0 || args[0] == '{' || string(args) == "null" {
		return nil
	}
	return fault.New(fault.InvalidRequest, "the arguments are not a JSON object").WithHint("name each argument: {\"name\": value}")
}

// exact refuses canonical arguments that are not the same to everybody who reads them.
func exact(args json.RawMessage) error {
	if err := Object(args); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(args))
	dec.UseNumber()
	for {
		t, err := dec.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fault.Wrap(err, fault.MalformedJSON, "the arguments are not valid JSON")
		}
		if n, ok := t.(json.Number); ok && !steady(n.String()) {
			return fault.New(fault.InvalidRequest, "a number among the arguments has more digits than a program can be relied on to read").
				WithHint("send it as a string if the tool takes one, or with at most 15 digits")
		}
	}
}

// steady reports whether a number is the same after it was read as a float64.
func steady(number string) bool {
	f, err := strconv.ParseFloat(number, 64)
	return err == nil && decimalOf(number) == decimalOf(strconv.FormatFloat(f, 'e', -1, 64))
}

// decimal is a number as its digits, without zeros at either end, and the power of ten of a point before them.
type decimal struct {
	negative bool
	digits   string
	power    int
}

// decimalOf reads a number that is written as JSON has it.
func decimalOf(number string) (d decimal) {
	number, d.negative = strings.CutPrefix(number, "-")
	mantissa, power, _ := strings.Cut(strings.ToLower(number), "e")
	if power != "" {
		var err error
		if d.power, err = strconv.Atoi(power); err != nil { // it is no power that anything has: no other number equals it
			return decimal{digits: number}
		}
	}
	whole, part, _ := strings.Cut(mantissa, ".")
	d.digits = strings.TrimLeft(whole+part, "0")
	d.power += len(d.digits) - len(part)
	if d.digits = strings.TrimRight(d.digits, "0"); d.digits == "" {
		d.power = 0
	}
	return d
}
