// Package orderdesk is a small web application for demonstrating tasks: the order desk of an office supply
// wholesaler.
//
// The program itself serves it. It represents any web application: plain pages with forms, a table, validation on
// both sides, a confirmation step, downloads, a login. It has no hooks for tests or recorders and knows neither.
//
// New returns a desk whose orders follow from a seed alone. State is in memory and ends with the desk. Orders and
// Changes tell what really happened, whatever a page claimed.
package orderdesk
