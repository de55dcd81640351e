package daemon_test

const childDir = "SHOWHOW_DAEMON_CHILD"

func child(dir string) int { return 1 }
