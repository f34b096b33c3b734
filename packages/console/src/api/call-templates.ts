/**
 * Maps a request path to its call template: `/api/v1/projects/shop` becomes `/api/v1/projects/:project`.
 * Templates contain no names chosen by users. Paths that were requested long ago are dropped.
 */
const templates = new Map<string, string>()
const kept = 300

export function noteTemplate(path: string, template: string): void {
  templates.delete(path)
  templates.set(path, template)
  if (templates.size <= kept) return
  const [oldest] = templates.keys()
  if (oldest !== undefined) templates.delete(oldest)
}

export function templateOf(path: string): string | undefined {
  return templates.get(path)
}
