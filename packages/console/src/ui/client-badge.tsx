import { Badge } from './tag.tsx'

const names: Readonly<Record<string, string>> = { datadog: 'Datadog client' }

/** Whose client an event or a session came from; our own needs no word. */
export function ClientBadge({ source }: { source: string }) {
  const name = clientName(source)
  return name === undefined ? null : <Badge>{name}</Badge>
}

export function clientName(source: string): string | undefined {
  return names[source]
}
