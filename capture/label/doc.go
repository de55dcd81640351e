// Package label describes an action in a person's words: "Clicked the button 'Save'".
//
// It works on cleaned actions and adds nothing to them: masks and tokens read as ‹kind›. A pure function of the
// action; it imports only package capture.
package label
