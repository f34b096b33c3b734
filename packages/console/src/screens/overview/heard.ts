/** Where events were seen already: while the telemetry store is away, nobody can tell a silent environment from a busy one. */
const keyOf = (project: string, env: string) => `telltale.heard.${project}.${env}`

export function noteHeard(project: string, env: string): void {
  localStorage.setItem(keyOf(project, env), 'yes')
}

export function wasHeard(project: string, env: string): boolean {
  return localStorage.getItem(keyOf(project, env)) !== null
}
