// Package orderdesk is a small web application to show tasks on: the order desk of a wholesaler of office goods.
//
// It is served by the program itself and stands for any web application: plain pages with forms, a table, validation on
// both sides, a confirmation step, downloads, a log-in. It has no hooks for tests or recorders and knows neither.
//
// New makes a desk whose orders follow from a seed alone. State is in memory and ends with the desk. Orders and Changes
// tell what really happened, whatever a page claimed.
package orderdesk
