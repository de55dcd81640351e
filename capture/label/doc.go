// Package label says in a person's words what was done: "Clicked the button 'Save'".
//
// It works on actions that are clean already and adds nothing that was not in them: masks and tokens read as ‹kind›. A pure
// function of the action; it imports the nouns of capture alone.
package label
