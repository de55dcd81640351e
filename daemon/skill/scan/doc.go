// Package scan treats a skill's folder as an attacker's work and reports what in it could harm the person whose agent
// follows it: instructions that turn the agent against its user, text that people do not see, programs that are
// fetched and run, secrets that are sent away, things that stay behind. The same report says which tools, domains and
// credentials the skill uses, whether other agents can read it and whether it collides with what is installed.
//
// Everything happens locally: nothing is run, nothing is fetched, no model is asked. Every finding names a rule of one
// table (Rules), a file and a line, what was found and why it matters. docs/scanning.md is generated from that table.
//
// Guarantees: the same files give the same report, in the same order, on every platform. A scan ends: files, bytes,
// nesting and time are bounded, and what was left unread for that is itself a finding that keeps a skill from being
// clean. No input makes it panic. Excerpts are short and hold no secret.
//
// Not guaranteed: that a clean skill is harmless. A scan sees what is written, not what a server will answer tomorrow
// nor what a patient author hides in ordinary words; that is why a person approves and a sandbox surrounds every run.
//
// Test with fstest.MapFS; the labelled bundles under ../testdata measure detections, and their harmless twins false
// alarms.
package scan
