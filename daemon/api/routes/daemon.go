package routes

const TagDaemon = "daemon"
