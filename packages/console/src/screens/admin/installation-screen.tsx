import { useQuery } from '@tanstack/react-query'
import { type Installation, installationQuery } from '../../api/installation.ts'
import { OwnersOnly } from '../../shell/owners-only.tsx'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { Badge } from '../../ui/tag.tsx'
import { TimeAgo, useNow } from '../../ui/time.tsx'
import { ControlPlane, TelemetryStore } from './engine-panels.tsx'
import { Fact, FactList } from './facts.tsx'

export function InstallationScreen() {
  return (
    <SectionScreen of="admin" title="Health and storage">
      <OwnersOnly>
        <Facts />
      </OwnersOnly>
    </SectionScreen>
  )
}

function Facts() {
  const installation = useQuery(installationQuery)
  return (
    <Async of={installation}>
      {(found) => (
        <>
          {installation.error && (
            <Notice
              title="The server does not answer"
              detail="What is shown is what it said last. It is asked again every few seconds."
            />
          )}
          {found.degraded.map((part) => (
            <Degraded key={part} part={part} reason={reasonOf(found, part)} />
          ))}
          <ControlPlane installation={found} />
          <TelemetryStore installation={found} />
          <Backups at={found.lastBackupAt} />
          <About installation={found} />
        </>
      )}
    </Async>
  )
}

const partWords: Record<string, { title: string; detail: string }> = {
  postgres: {
    title: 'PostgreSQL does not work',
    detail: 'Flags are served from what the server keeps in memory. Changes wait until it works again.',
  },
  clickhouse: {
    title: 'The telemetry store does not work',
    detail:
      'Flags are not touched. Events that arrive are kept on disk and stored when it is back; screens of monitoring stay empty until then.',
  },
  spool: {
    title: 'Events wait longer than they should',
    detail: 'Flags are not touched. When the spool is full, the least important events are refused first.',
  },
}

function Degraded({ part, reason }: { part: string; reason: string | null }) {
  const words = partWords[part] ?? { title: `Not working: ${part}`, detail: '' }
  return (
    <Notice
      title={words.title}
      detail={reason === null ? words.detail : `${words.detail} It says: ${reason}.`}
    />
  )
}

function reasonOf({ engines }: Installation, part: string): string | null {
  return part === 'clickhouse' ? engines.clickhouse.reason : null
}

const day = 86_400_000
const oldAfter = 2 * day

function Backups({ at }: { at: string | null }) {
  const now = useNow()
  const isOld = at !== null && now - Date.parse(at) > oldAfter
  return (
    <Panel title="Backups">
      <FactList>
        <Fact name="Last backup">
          <span className="inline-flex items-center gap-8">
            <TimeAgo at={at} none="none yet" />
            {isOld && <Badge tone="warn">Old</Badge>}
          </span>
        </Fact>
      </FactList>
      {at === null && (
        <p className="max-w-read pt-8 text-pretty text-12 text-text-3">
          The server copies its own PostgreSQL into the data folder by itself. One that others run is backed
          up by them.
        </p>
      )}
    </Panel>
  )
}

function About({ installation }: { installation: Installation }) {
  const { version, node, startedAt, publicUrl, mail } = installation
  return (
    <Panel title="Server">
      <FactList>
        <Fact name="Version">{version}</Fact>
        <Fact name="Node">{node}</Fact>
        <Fact name="Started">
          <TimeAgo at={startedAt} />
        </Fact>
        <Fact name="Public address">
          {publicUrl === null ? (
            <span className="text-text-3">not set: links name the address that was asked</span>
          ) : (
            <CopyText text={publicUrl} label="Copy the public address" />
          )}
        </Fact>
        <Fact name="Mail">
          {mail ? 'Set up' : <span className="text-text-3">not set up: links are shown, not sent</span>}
        </Fact>
      </FactList>
    </Panel>
  )
}
