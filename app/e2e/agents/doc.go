// Package agents tests Showhow with the agents themselves: Claude Code, Codex and OpenClaw, as npm delivers them. A
// scripted endpoint on loopback stands in for their model: it keeps every request and answers with the tool calls of a
// script. So the tests see what an agent offers its model, and what it does with an answer.
//
// `make test-agents` installs the agents (build/agents, 1.5 GB) and runs the tests; without SHOWHOW_AGENTS they are
// skipped. The agents reach nothing but loopback: their proxy is a closed port.
package agents
