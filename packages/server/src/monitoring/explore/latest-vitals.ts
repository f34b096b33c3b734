// A vital is sent again when it grows after its page was hidden and shown. Every revision is a row of its own; the highest one of
// a view counts. Order of arrival, and revisions that never arrive, make no difference.

/** What belongs to no view has no later revision. */
const noView = '00000000-0000-0000-0000-000000000000'

/**
 * A condition on rows of events that leaves out superseded revisions. `scope` limits which rows are looked through, by conditions
 * that all revisions of a view have in common: the environment, a session, a period.
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
