package journal

// OutlookRead is the event of an agent that read mail or a calendar of Outlook; payload agent, tool; nothing of what was read.
const OutlookRead EventKind = "outlook.read"
