// How a skill is imported: a file from the browser, with progress, or a source that the daemon itself reads.
import { ApiError, api, body, headers, once, type Schemas, toError } from "../../api/client";
import { text } from "../../text/en";

type Artifact = Schemas["TempArtifactRef"];
export type Kind = "file" | "text" | "folder" | "git" | "registry" | "connector";

/** Something that can be imported, once or for each skill in it. */
export interface Source {
  name: string;
  send: (within: string | undefined, progress: (part: number) => void) => Promise<Artifact>;
}

/** fetch does not report an upload's progress; XMLHttpRequest does. */
export function uploadFile(file: File, within: string | undefined, progress: (part: number) => void): Promise<Artifact> {
  const form = new FormData();
  form.set("metadata", new Blob([JSON.stringify({ within, ...once(), schema_version: 1 })], { type: "application/json" }));
  form.set("bundle", file);
  return new Promise((give, refuse) => {
    const x = new XMLHttpRequest();
    x.open("POST", "/api/skills/import/uploads");
    for (const [k, v] of Object.entries(headers())) x.setRequestHeader(k, v);
    x.responseType = "json";
    x.upload.addEventListener("progress", (e) => e.lengthComputable && progress(e.loaded / e.total));
    x.addEventListener("load", () =>
      x.status < 300 ? give((x.response as Schemas["SkillImportUploadResponse"]).temp_artifact) : refuse(toError(x.response, x.status)),
    );
    x.addEventListener("error", () => refuse(new ApiError("DAEMON_UNREACHABLE", text.errors.unreachable, text.errors.unreachableHint)));
    x.send(form);
  });
}

export const ofFile = (file: File): Source => ({ name: file.name, send: (within, progress) => uploadFile(file, within, progress) });

type Request = Pick<
  Schemas["SkillImportSourceRequest"],
  "kind" | "path" | "url" | "ref" | "text" | "reference" | "signer" | "unsigned" | "connector_id" | "digest"
>;

export const ofRequest = (name: string, r: Request): Source => ({
  name,
  send: async (within) =>
    (await body(api.POST("/api/skills/import/sources", { body: { ...r, within, schema_version: 1, ...once() } }))).temp_artifact,
});

/** A path of this computer is read as a folder, unless it ends like an archive. */
export const pathKind = (path: string): "archive" | "folder" => (/\.(zip|tar|tar\.gz|tgz)$/i.test(path) ? "archive" : "folder");

/** The folders to choose from if there are several skills. */
export function choices(e: unknown): string[] | undefined {
  if (!(e instanceof ApiError) || e.details.reason !== "several_skills") return undefined;
  const folders = e.details.folders;
  return Array.isArray(folders) && folders.length ? folders.map(String) : undefined;
}

/** Uploads one skill and scans it; returns the import. */
export async function bring(
  s: Source,
  within: string | undefined,
  tell: (phase: "uploading" | "scanning", part?: number) => void,
): Promise<string> {
  tell("uploading", 0);
  const artifact = await s.send(within, (part) => tell("uploading", part));
  return scan(artifact.temp_artifact_ref, () => tell("scanning"));
}

/** A failed scan also leaves an import, which says why. An archive of several skills is not an import of any of them. */
export async function scan(ref: string, begun: () => void): Promise<string> {
  begun();
  try {
    return (await body(api.POST("/api/skills/import/scan", { body: { temp_artifact_ref: ref, schema_version: 1, ...once() } })))
      .import_record.import_id;
  } catch (e) {
    if (e instanceof ApiError && typeof e.details.import_id === "string" && !choices(e)) return e.details.import_id;
    throw e;
  }
}
