import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "../../api/client";

export type Item = Schemas["InboxItem"];

// What waits is of many kinds, and not each of them has an event of its own.
const often = 10_000;

export const q = {
  all: () =>
    queryOptions({
      queryKey: ["inbox"],
      queryFn: async () => (await body(api.GET("/api/inbox"))).items,
      refetchInterval: often,
    }),
};
