import type { Installation } from '../../api/installation.ts'
import { Panel } from '../../ui/panel.tsx'
import { Badge } from '../../ui/tag.tsx'
import { Fact, FactList } from './facts.tsx'
import { sizeText } from './size-text.ts'

const engineWords = {
  running: { tone: 'ok', text: 'Running' },
  external: { tone: 'ok', text: 'External' },
  restarting: { tone: 'warn', text: 'Restarting' },
  waiting: { tone: 'warn', text: 'Waiting' },
  failed: { tone: 'bad', text: 'Failed' },
} as const

type EngineFactProps = {
  name: string
  state: keyof typeof engineWords
  isDegraded: boolean
  version: string | undefined
}

function EngineFact({ name, state, isDegraded, version }: EngineFactProps) {
  const { tone, text } = engineWords[state]
  return (
    <Fact name={name}>
      <span className="inline-flex flex-wrap items-center gap-8">
        <Badge tone={isDegraded && tone === 'ok' ? 'bad' : tone}>{text}</Badge>
        {version !== undefined && <span className="text-text-2">{version}</span>}
      </span>
    </Fact>
  )
}

export function ControlPlane({ installation: { engines, degraded } }: { installation: Installation }) {
  const { state, version, sizeBytes } = engines.postgres
  return (
    <Panel title="Control plane" note="Projects, flags, users">
      <FactList>
        <EngineFact
          name="PostgreSQL"
          state={state}
          isDegraded={degraded.includes('postgres')}
          version={version}
        />
        <Fact name="Storage used">{sizeText(sizeBytes)}</Fact>
      </FactList>
    </Panel>
  )
}

export function TelemetryStore({ installation: { engines, degraded } }: { installation: Installation }) {
  const { kind, state, stored } = engines.clickhouse
  const unknown = <span className="text-text-3">unknown while it does not respond</span>
  return (
    <Panel title="Telemetry store" note="Events, sessions, measurements">
      <FactList>
        <EngineFact
          name="ClickHouse"
          state={state}
          isDegraded={degraded.includes('clickhouse')}
          version={stored?.version}
        />
        <Fact name="Kind">{kind === 'external' ? 'External server' : 'Embedded'}</Fact>
        <Fact name="Storage used">{stored ? sizeText(stored.sizeBytes) : unknown}</Fact>
        <Fact name="Rows">{stored ? stored.rows.toLocaleString('en') : unknown}</Fact>
      </FactList>
    </Panel>
  )
}
