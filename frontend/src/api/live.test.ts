import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import { gatherer } from "./live";

describe("what an event makes stale", () => {
  it("is asked for again once, however many events come before its first answer", async () => {
    vi.useFakeTimers();
    const client = new QueryClient();
    const answers: ((runs: string[]) => void)[] = [];
    const observer = new QueryObserver(client, {
      queryKey: ["runs", "p1"],
      queryFn: () => new Promise<string[]>((give) => answers.push(give)),
    });
    const end = observer.subscribe(() => {});
    const gather = gatherer(client);
    for (let burst = 0; burst < 3; burst++) {
      gather(["runs"]);
      await vi.advanceTimersByTimeAsync(100);
    }
    for (let i = 0; i < answers.length; i++) {
      answers[i]!([]);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(answers).toHaveLength(2);
    end();
    client.clear();
  });

  it("is asked for again, also if its first answer was still on its way", async () => {
    vi.useFakeTimers();
    const client = new QueryClient();
    const answers: ((runs: string[]) => void)[] = [];
    const observer = new QueryObserver(client, {
      queryKey: ["runs", "p1"],
      queryFn: () => new Promise<string[]>((give) => answers.push(give)),
    });
    const end = observer.subscribe(() => {});
    expect(answers).toHaveLength(1);

    gatherer(client)(["runs"]); // a run began after the daemon had answered, and before its answer was read
    await vi.advanceTimersByTimeAsync(100);
    answers[0]!([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(answers).toHaveLength(2);
    answers[1]!(["run"]);
    await vi.advanceTimersByTimeAsync(100);
    expect(observer.getCurrentResult().data).toEqual(["run"]);

    gatherer(client)(["runs"]);
    await vi.advanceTimersByTimeAsync(100);
    expect(answers).toHaveLength(3);
    end();
    client.clear();
  });
});
