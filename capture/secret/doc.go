// Package secret names the kinds of secrets and writes the tokens that replace them in a text: [[secret KIND]]. It
// also knows the form of a mask, [[KIND LENGTH LINK]], and truncates texts without cutting through either.
//
// A leaf; any package may import it. Finding secrets is the business of package redact.
package secret
