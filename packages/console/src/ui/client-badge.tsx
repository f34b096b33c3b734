import { Badge } from './tag.tsx'

const names: Readonly<Record<string, string>> = { datadog: 'Datadog client' }

/** The client of an event or a session; hidden for Telltale's own. */
export function ClientBadge({ source }: { source: string }) {
  const name = clientName(source)
  return name === undefined ? null : <Badge>{name}</Badge>
}

export function clientName(source: string): string | undefined {
  return names[source]
}
