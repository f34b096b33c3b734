import type { LogLevel } from '@telltale/core/otlp-names'
import { Badge } from '../../ui/tag.tsx'

const tones = { fatal: 'bad', error: 'bad', warn: 'warn' } as const

/** The level of a log record, as a word. */
export function LogLevelBadge({ level }: { level: LogLevel }) {
  const tone = level === 'fatal' || level === 'error' || level === 'warn' ? tones[level] : 'plain'
  return <Badge tone={tone}>{level === 'unspecified' ? 'none' : level}</Badge>
}
