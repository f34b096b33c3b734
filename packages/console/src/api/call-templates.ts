/**
 * Which call an address of this server was asked with: `/api/v1/projects/shop` is `/api/v1/projects/:project`. What people
 * named their things does not stand in a template. Of addresses asked long ago nothing is kept.
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
