// A vital is sent again when it grows after its page was hidden and shown. Each revision is a separate row; the
// highest revision of a view counts. The order of arrival and missing revisions do not matter.

/** A vital without a view has no later revisions. */
const noView = '00000000-0000-0000-0000-000000000000'

/**
 * A condition on rows of events that excludes superseded revisions. `scope` limits the rows to search, by
 * conditions that all revisions of a view share: the environment, a session, a period.
 */
export function isLatestVital(...scope: string[]): string {
  const revised = [...scope, "kind = 'vital'", 'rev > 0', `view_id != toUUID('${noView}')`]
  return `(kind != 'vital' OR (view_id, toString(name), rev) GLOBAL NOT IN (
    SELECT view_id, vital_, arrayJoin(arrayPushFront(arrayFilter(r -> r < latest_, revs_), 0)) FROM (
      SELECT view_id, toString(name) AS vital_, groupUniqArray(rev) AS revs_, max(rev) AS latest_ FROM events WHERE ${revised.join(' AND ')}
      GROUP BY view_id, vital_)))`
}

/** Whether rows with these conditions can be vitals. */
export function mayBeVitals(conditions: readonly string[]): boolean {
  return !conditions.some((condition) => /^kind (?:=|IN) /.test(condition) && !/'vital'|\{/.test(condition))
}
