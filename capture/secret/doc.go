// Package secret names the kinds of secrets and writes the tokens that stand in a text in their place: [[secret KIND]]. It also
// knows the form of a mask, [[KIND LENGTH LINK]], and cuts texts without cutting through either.
//
// A leaf; anybody may import it. Finding secrets is the business of package redact.
package secret
