package detached

import "os/exec"

// Start starts a program that is to outlive this one, with more variables in its environment. wait returns when it has ended;
// a program that lives long itself has to call it, or is left with a zombie.
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
