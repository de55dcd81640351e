-- A hundred skills that are imported at once: what the current view shows of an import, so that writing the view decodes none
-- (NULL in rows of older versions), and the open sessions that mirror no import, which otherwise are looked for in all open ones.

ALTER TABLE skill_imports ADD COLUMN listed TEXT;

CREATE INDEX learn_sessions_learning ON learn_sessions(created_at, session_id)
  WHERE ended=0 AND NOT (json_extract(body,'$.entry_mode')='import_skill'
    AND (COALESCE(json_extract(body,'$.import_id'),'')<>'' OR COALESCE(json_extract(body,'$.temp_artifact_ref'),'')<>''));
