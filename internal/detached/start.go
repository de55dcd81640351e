package detached

import "os/exec"

// Start starts a program that outlives this one, with additional environment variables. wait returns when it has
// ended; a long-lived caller must call it to avoid a zombie.
func Start(program string, env []string, args ...string) (wait func(), err error) {
	cmd := exec.Command(program, args...)
	cmd.Dir = "/"
	Prepare(cmd)
	cmd.Env = append(cmd.Env, env...)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() { _ = cmd.Wait() }, nil
}
