import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "../../api/client";

export type Item = Schemas["InboxItem"];

// There are many kinds of waiting items, and not each has an event of its own.
const often = 10_000;

export const q = {
  all: () =>
    queryOptions({
      queryKey: ["inbox"],
      queryFn: async () => (await body(api.GET("/api/inbox"))).items,
      refetchInterval: often,
    }),
};
